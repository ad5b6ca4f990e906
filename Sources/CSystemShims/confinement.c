#define _GNU_SOURCE

#include "csystem_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int csystem_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int csystem_new_privileges_are_forbidden(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }

int csystem_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Debian 12's linux/landlock.h ends at ABI 2: the attribute as the kernel's documentation has it.
struct ruleset {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
};

enum { create_ruleset = 444, restrict_self = 446, ask_version = 1 };

int csystem_landlock_abi(void) { return (int)syscall(create_ruleset, NULL, 0, ask_version); }

int csystem_landlock_deny(uint64_t file_system, uint64_t network, uint64_t scopes, size_t size) {
  struct ruleset rules = {file_system, network, scopes};
  if (size > sizeof rules) {
    errno = EINVAL;
    return -1;
  }
  int ruleset = (int)syscall(create_ruleset, &rules, size, 0);
  if (ruleset < 0) return -1;
  int result = (int)syscall(restrict_self, ruleset, 0);
  int error = errno;
  close(ruleset);
  errno = error;
  return result;
}

static int allocation_failure_code;

// A failed malloc or mmap leaves ENOMEM behind, and what crashes on the missing memory does so
// before another call sets errno anew.
static void note_crash(int signal) {
  if (errno == ENOMEM) _exit(allocation_failure_code);
  // SA_RESETHAND and SA_NODEFER: this ends the process by the signal itself.
  raise(signal);
}

int csystem_note_allocation_failures(int exit_code) {
  // The stack may be what ran out.
  static char stack[16 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  allocation_failure_code = exit_code;
  if (sigaltstack(&alternate, NULL) < 0) return -1;
  struct sigaction action = {.sa_handler = note_crash,
                             .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
  const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    if (sigaction(crashes[i], &action, NULL) < 0) return -1;
  }
  return 0;
}

int csystem_close_from(unsigned int first) { return close_range(first, ~0U, 0); }

void csystem_leave(int code) { _exit(code); }
