#include "sessions.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include "CodecStatus.h"

static _Atomic int64_t live_sessions;

void ccodecs_session_began(void) { atomic_fetch_add(&live_sessions, 1); }

void ccodecs_session_ended(void) { atomic_fetch_sub(&live_sessions, 1); }

int64_t ccodecs_live_sessions(void) { return atomic_load(&live_sessions); }

int64_t ccodecs_read_at(int input, void *bytes, size_t count, int64_t offset) {
  size_t filled = 0;
  while (filled < count) {
    ssize_t got = pread(input, (char *)bytes + filled, count - filled, offset + (int64_t)filled);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return -1;
    if (got > 0) filled += (size_t)got;
  }
  return (int64_t)filled;
}
