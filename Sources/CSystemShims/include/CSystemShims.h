#pragma once

#include <stddef.h>
#include <stdint.h>

#include "csystem_process.h"

// What Glibc's Swift module does not import, and what must be
// async-signal-safe between fork and exec. No policy: numbers come from Swift.

/// renameat2(2): Swift's Glibc module leaves out _GNU_SOURCE declarations.
int csystem_renameat2(int old_directory, const char *_Nonnull old_name, int new_directory,
                      const char *_Nonnull new_name, unsigned int flags);

/// memfd_create(2) with MFD_CLOEXEC | MFD_ALLOW_SEALING.
int csystem_memory_file(const char *_Nonnull name);

/// dup3(2) with O_CLOEXEC: Swift's Glibc module leaves out _GNU_SOURCE declarations.
int csystem_replace(int source, int descriptor);

/// fstatfs(2), its f_type alone: Swift's Glibc module leaves out <sys/vfs.h>.
long csystem_file_system_type(int descriptor);

/// fcntl(F_ADD_SEALS): fcntl is variadic, which Swift does not import.
int csystem_add_seals(int descriptor, int seals);

/// open(2) and openat(2): variadic in C.
int csystem_openat(int directory, const char *_Nonnull path, int flags, unsigned int mode);

/// ioctl(FICLONE): shares the blocks of `from` with `to` where the file system can.
int csystem_clone_file(int to, int from);

/// dup3(2) with O_CLOEXEC: a _GNU_SOURCE declaration.
int csystem_replace_descriptor(int from, int to);

/// sync_file_range(2) with SYNC_FILE_RANGE_WRITE over the whole file: a _GNU_SOURCE declaration.
int csystem_start_writing(int descriptor);

extern const int csystem_seal_write;
extern const int csystem_seal_grow;
extern const int csystem_seal_shrink;
extern const int csystem_seal_seal;
extern const unsigned int csystem_rename_noreplace;
extern const unsigned int csystem_rename_exchange;

/// eventfd(2) with EFD_CLOEXEC | EFD_NONBLOCK: sys/eventfd.h is not in Swift's Glibc module.
int csystem_event_descriptor(void);
