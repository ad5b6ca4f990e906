#include "CSystemShims.h"

#include <sys/eventfd.h>

int csystem_event_descriptor(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
