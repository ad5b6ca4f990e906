#define _GNU_SOURCE

#include "csystem_process.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/ioprio.h is not among glibc's headers.
enum { io_who_process = 1, io_class_best_effort = 2, io_class_shift = 13, io_lowest = 7 };

void csystem_lower_priority(int nice_value) {
  // Both calls are about one thread; threads that are started later take after their starters.
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return;
  const struct dirent *entry;
  while ((entry = readdir(threads)) != NULL) {
    const int thread = atoi(entry->d_name);
    if (thread <= 0) continue;
    // Somebody may have asked for even less.
    if (getpriority(PRIO_PROCESS, (id_t)thread) < nice_value) {
      setpriority(PRIO_PROCESS, (id_t)thread, nice_value);
    }
    syscall(SYS_ioprio_set, io_who_process, thread,
            io_class_best_effort << io_class_shift | io_lowest);
  }
  closedir(threads);
}
