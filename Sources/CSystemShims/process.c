#define _GNU_SOURCE

#include "csystem_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { child_stack = 64 * 1024, highest_signal = 64, out_of_the_way = 64 };

struct start {
  const char *path;
  char *const *arguments;
  char *const *environment;
  const int *descriptors;
  int descriptor_count;
  const struct csystem_limit *limits;
  int limit_count;
  pid_t parent;
  int error;
};

static int place_descriptors(const struct start *start) {
  // First out of the way, so that no target number is another's source.
  int moved[8];
  if (start->descriptor_count > 8) return E2BIG;
  for (int i = 0; i < start->descriptor_count; i++) {
    moved[i] = fcntl(start->descriptors[i], F_DUPFD, out_of_the_way);
    if (moved[i] < 0) return errno;
  }
  for (int i = 0; i < start->descriptor_count; i++) {
    if (dup2(moved[i], i) < 0) return errno;
  }
  return close_range((unsigned)start->descriptor_count, ~0U, 0) < 0 ? errno : 0;
}

static int set_limits(const struct start *start) {
  for (int i = 0; i < start->limit_count; i++) {
    const struct csystem_limit *limit = &start->limits[i];
    struct rlimit value = {.rlim_cur = limit->soft, .rlim_max = limit->hard};
    if (setrlimit((__rlimit_resource_t)limit->resource, &value) < 0) return errno;
  }
  return 0;
}

static void reset_signals(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number <= highest_signal; number++) sigaction(number, &standard, NULL);
}

static int run_child(void *argument) {
  struct start *start = argument;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the line above took hold.
  if (getppid() != start->parent) _exit(1);
  setsid();
  reset_signals();
  start->error = chdir("/") < 0 ? errno : 0;
  if (start->error == 0) start->error = place_descriptors(start);
  if (start->error == 0) start->error = set_limits(start);
  if (start->error == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(start->path, start->arguments, start->environment);
    start->error = errno;
  }
  _exit(127);
}

int csystem_spawn(const char *path, char *const *arguments, char *const *environment,
                    const int *descriptors, int descriptor_count,
                    const struct csystem_limit *limits, int limit_count, int *pidfd) {
  struct start start = {path,   arguments,   environment, descriptors, descriptor_count,
                        limits, limit_count, getpid(),    0};
  // A handler of ours must not run in the child while it shares our memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  _Alignas(16) char stack[child_stack];
  int descriptor = -1;
  pid_t process = clone(run_child, stack + child_stack,
                        CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &descriptor);
  int error = process < 0 ? errno : start.error;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (process < 0) {
    errno = error;
    return -1;
  }
  if (error != 0) {
    siginfo_t ended;
    waitid((idtype_t)P_PIDFD, (id_t)descriptor, &ended, WEXITED);
    close(descriptor);
    errno = error;
    return -1;
  }
  *pidfd = descriptor;
  return process;
}

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

int csystem_reap(int pidfd, struct csystem_exit *ended) {
  siginfo_t info = {0};
  struct rusage usage = {0};
  if (syscall(SYS_waitid, P_PIDFD, pidfd, &info, WEXITED | WNOHANG, &usage) < 0) return -1;
  if (info.si_pid == 0) return 0;
  ended->code = info.si_code;
  ended->status = info.si_status;
  ended->cpu_microseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  return 1;
}

int csystem_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int csystem_set_limit(int process, struct csystem_limit limit) {
  struct rlimit value = {.rlim_cur = limit.soft, .rlim_max = limit.hard};
  return prlimit(process, (__rlimit_resource_t)limit.resource, &value, NULL);
}

int csystem_get_limit(int resource, struct csystem_limit *limit) {
  struct rlimit value;
  if (getrlimit((__rlimit_resource_t)resource, &value) < 0) return -1;
  *limit = (struct csystem_limit){resource, value.rlim_cur, value.rlim_max};
  return 0;
}
