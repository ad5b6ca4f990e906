#pragma once

#include <stddef.h>
#include <stdint.h>

// What the life and the confinement of a child process need beyond Swift's
// Glibc module. Results are -1 with errno unless said.

/// One resource limit: a RLIMIT_ number, and the soft and hard values.
struct csystem_limit {
  int resource;
  uint64_t soft;
  uint64_t hard;
};

/// How a child ended: CLD_EXITED, CLD_KILLED or CLD_DUMPED, with the exit code or the signal.
struct csystem_exit {
  int code;
  int status;
  uint64_t cpu_microseconds;
};

/// clone(2) as vfork, then execve(2). In C because between the two the child shares the parent's
/// memory: only async-signal-safe calls may run, which Swift cannot promise. The child gets
/// `descriptors` as 0, 1, 2, … and no others, default signals, a session of its own, and dies with
/// the thread that called. Returns the process id; `pidfd` names the process for good.
int csystem_spawn(const char *_Nonnull path, char *const _Nullable *_Nonnull arguments,
                    char *const _Nullable *_Nonnull environment, const int *_Nonnull descriptors,
                    int descriptor_count, const struct csystem_limit *_Nonnull limits,
                    int limit_count, int *_Nonnull pidfd);

/// waitid(2) on a pidfd without blocking: 1 ended and reaped, 0 still running. The system call
/// itself, since the library's function leaves out the usage, and Swift cannot read siginfo_t's
/// macros.
int csystem_reap(int pidfd, struct csystem_exit *_Nonnull ended);

/// pidfd_send_signal(2): not imported, since glibc 2.36 declares it for _GNU_SOURCE only.
int csystem_signal(int pidfd, int signal);

/// prlimit(2) on another process, or on the caller for process 0: a _GNU_SOURCE declaration with
/// an enum that Swift imports as another type.
int csystem_set_limit(int process, struct csystem_limit limit);

/// The reading half of prlimit(2).
int csystem_get_limit(int resource, struct csystem_limit *_Nonnull limit);

/// socketpair(2) of SOCK_SEQPACKET, close-on-exec: SOCK_ flags are an enum that does not combine.
int csystem_socket_pair(int *_Nonnull ends);

/// sendmsg(2) of one message with descriptors (SCM_RIGHTS), never blocking, never SIGPIPE: the
/// CMSG_ macros are not imported.
ptrdiff_t csystem_send(int socket, const void *_Nonnull bytes, size_t count,
                     const int *_Nullable descriptors, int descriptor_count);

/// recvmsg(2) of one message with exactly `descriptor_count` descriptors, blocking. A message that
/// is longer than `capacity` or carries another number of descriptors is EBADMSG.
ptrdiff_t csystem_receive(int socket, void *_Nonnull bytes, size_t capacity,
                        int *_Nonnull descriptors, int descriptor_count);

/// recv(2) of one message without blocking; descriptors that came along are closed by the kernel.
/// Returns the message's true length, which is above `capacity` for one that was cut.
ptrdiff_t csystem_receive_plain(int socket, void *_Nonnull bytes, size_t capacity);

/// fcntl(F_GET_SEALS) and fcntl(F_GETFL): fcntl is variadic, and the seal numbers are _GNU_SOURCE.
int csystem_get_seals(int descriptor);
int csystem_get_flags(int descriptor);

/// prctl(2) is variadic: PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_SET_DUMPABLE 0.
int csystem_forbid_new_privileges(void);
int csystem_new_privileges_are_forbidden(void);
int csystem_forbid_dumps(void);

/// landlock_create_ruleset(2) asked for its version; glibc has no wrappers for these calls.
int csystem_landlock_abi(void);

/// landlock_create_ruleset(2) and landlock_restrict_self(2) with an empty rule set: all `handled`
/// rights are denied. `size` is the length of the attribute that the ABI knows, in bytes.
int csystem_landlock_deny(uint64_t file_system, uint64_t network, uint64_t scopes, size_t size);

/// Makes a crash that follows a failed allocation end the process with `exit_code`: the parent
/// cannot tell it from other crashes. In C because a signal handler may only do async-signal-safe
/// work, on a stack of its own.
int csystem_note_allocation_failures(int exit_code);

/// close_range(2) from `first` on: a _GNU_SOURCE declaration.
int csystem_close_from(unsigned int first);

/// Ends the process without running destructors: exit handlers of C libraries are not trusted
/// after hostile input. _exit(2).
void csystem_leave(int code) __attribute__((noreturn));

/// Lowers every thread of the process to at least `nice_value`, and to the lowest place of the best
/// effort class of I/O. setpriority(2), and ioprio_set(2), for which glibc has no wrapper.
void csystem_lower_priority(int nice_value);
