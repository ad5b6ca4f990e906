#define _GNU_SOURCE

#include "csystem_process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_descriptors = 4 };

int csystem_socket_pair(int *ends) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

ptrdiff_t csystem_send(int socket, const void *bytes, size_t count, const int *descriptors,
                     int descriptor_count) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(most_descriptors * sizeof(int))] = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count < 0 || descriptor_count > most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  if (descriptor_count > 0) {
    size_t size = (size_t)descriptor_count * sizeof(int);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
  }
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Moves the descriptors of a message to the caller; how many there were.
static int take_descriptors(struct msghdr *message, int *descriptors, int descriptor_count) {
  int found = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
       header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++, found++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
      if (found < descriptor_count) {
        descriptors[found] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
  return found;
}

ptrdiff_t csystem_receive(int socket, void *bytes, size_t capacity, int *descriptors,
                        int descriptor_count) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(most_descriptors * sizeof(int))] = {0};
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
  ssize_t count;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return count;
  int found = take_descriptors(&message, descriptors, descriptor_count);
  if (found == descriptor_count && (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return count;
  for (int i = 0; i < found && i < descriptor_count; i++) close(descriptors[i]);
  errno = EBADMSG;
  return -1;
}

ptrdiff_t csystem_receive_plain(int socket, void *bytes, size_t capacity) {
  return recv(socket, bytes, capacity, MSG_DONTWAIT | MSG_TRUNC);
}

int csystem_get_seals(int descriptor) { return fcntl(descriptor, F_GET_SEALS); }

int csystem_get_flags(int descriptor) { return fcntl(descriptor, F_GETFL); }
