#define _GNU_SOURCE

#include "CSystemShims.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

const int csystem_seal_write = F_SEAL_WRITE;
const int csystem_seal_grow = F_SEAL_GROW;
const int csystem_seal_shrink = F_SEAL_SHRINK;
const int csystem_seal_seal = F_SEAL_SEAL;
const unsigned int csystem_rename_noreplace = RENAME_NOREPLACE;
const unsigned int csystem_rename_exchange = RENAME_EXCHANGE;

int csystem_renameat2(int old_directory, const char *old_name, int new_directory,
                      const char *new_name, unsigned int flags) {
  return renameat2(old_directory, old_name, new_directory, new_name, flags);
}

int csystem_memory_file(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int csystem_replace(int source, int descriptor) {
  return dup3(source, descriptor, O_CLOEXEC);
}

int csystem_add_seals(int descriptor, int seals) {
  return fcntl(descriptor, F_ADD_SEALS, seals);
}

int csystem_openat(int directory, const char *path, int flags, unsigned int mode) {
  return openat(directory, path, flags | O_CLOEXEC, mode);
}

int csystem_clone_file(int to, int from) {
  return ioctl(to, FICLONE, from);
}

int csystem_replace_descriptor(int from, int to) {
    return dup3(from, to, O_CLOEXEC);
}

long csystem_file_system_type(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 ? (long)status.f_type : -1;
}

int csystem_start_writing(int descriptor) {
  return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}
