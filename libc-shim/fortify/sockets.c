//===-- libc-shim/fortify/sockets.c - recv and recvfrom -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <sys/socket.h>

ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags) {
  check_room(size, room);
  return recv(fd, to, size, flags);
}
ssize_t __recvfrom_chk(int fd, void *restrict to, size_t size, size_t room,
                       int flags, struct sockaddr *restrict from,
                       socklen_t *restrict from_size) {
  check_room(size, room);
  return recvfrom(fd, to, size, flags, from, from_size);
}
