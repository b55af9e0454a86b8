//===-- libc-shim/network/sockets.c - socket, bind, connect, send ... -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function makes one exchange with the host. At most 1 MiB is received at
// once.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static long call(rpc_opcode opcode, uint64_t a, uint64_t b, uint64_t c) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  return __host_result(__host_call(opcode, a, b, c));
}

int socket(int family, int type, int protocol) {
  return (int)call(RPC_SOCKET, (uint64_t)family, (uint64_t)type,
                   (uint64_t)protocol);
}

int socketpair(int family, int type, int protocol, int ends[2]) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply = __host_call(RPC_SOCKETPAIR, (uint64_t)family,
                                 (uint64_t)type, (uint64_t)protocol);
  const int result = (int)__host_result(reply);
  if (!result) {
    ends[0] = (int)reply.words[1];
    ends[1] = (int)reply.words[2];
  }
  return result;
}

int listen(int fd, int backlog) {
  return (int)call(RPC_LISTEN, (uint64_t)fd, (uint64_t)backlog, 0);
}
int shutdown(int fd, int how) {
  return (int)call(RPC_SHUTDOWN, (uint64_t)fd, (uint64_t)how, 0);
}
int sockatmark(int fd) {
  int at_mark;
  return ioctl(fd, SIOCATMARK, &at_mark) ? -1 : at_mark;
}

/// Makes a call whose arguments are bytes and three words.
static int send_bytes(rpc_opcode opcode, const void *data, size_t size,
                      uint64_t a, uint64_t b, uint64_t c) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_message message = {.data = data, .size = size, .a = a, .b = b, .c = c};
  return (int)__host_result(__host_send(opcode, HOST_FORM_WORDS, &message));
}

int bind(int fd, const struct sockaddr *address, socklen_t size) {
  return send_bytes(RPC_BIND, address, size, (uint64_t)fd, 0, 0);
}
int connect(int fd, const struct sockaddr *address, socklen_t size) {
  return send_bytes(RPC_CONNECT, address, size, (uint64_t)fd, 0, 0);
}
int setsockopt(int fd, int level, int option, const void *value,
               socklen_t size) {
  return send_bytes(RPC_SET_OPTION, value, size, (uint64_t)fd, (uint64_t)level,
                    (uint64_t)option);
}

//===-- Addresses that the host returns -----------------------------------===//

/// Copies the first *size bytes of an address of `length` bytes. *size becomes
/// `length`.
static void put_address(const void *from, size_t length, void *to,
                        socklen_t *size) {
  if (!to || !size)
    return;
  memcpy(to, from, length < *size ? length : *size);
  *size = (socklen_t)length;
}

/// C {fd, b} · S bytes(address) · S {reply}.
static int ask_address(rpc_opcode opcode, int fd, uint64_t b,
                       struct sockaddr *to, socklen_t *size) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  struct sockaddr_storage address;
  uint64_t received = 0;
  host_reply reply;
  do
    reply = __host_receive(opcode, (uint64_t)fd, b, 0, &address, sizeof address,
                           &received);
  while (__host_call_restarts(reply));
  const int result = (int)__host_result(reply);
  if (result >= 0)
    put_address(&address, received, to, size);
  return result;
}

int accept4(int fd, struct sockaddr *restrict to, socklen_t *restrict size,
            int flags) {
  return ask_address(RPC_ACCEPT, fd, (uint64_t)flags, to, size);
}
int accept(int fd, struct sockaddr *restrict to, socklen_t *restrict size) {
  return accept4(fd, to, size, 0);
}
int getsockname(int fd, struct sockaddr *restrict to,
                socklen_t *restrict size) {
  return ask_address(RPC_SOCKET_NAME, fd, 0, to, size);
}
int getpeername(int fd, struct sockaddr *restrict to,
                socklen_t *restrict size) {
  return ask_address(RPC_SOCKET_NAME, fd, 1, to, size);
}

int getsockopt(int fd, int level, int option, void *restrict to,
               socklen_t *restrict size) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  rpc_port port = __port_open(RPC_GET_OPTION);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = (uint64_t)fd;
  packet->words[1] = (uint64_t)level;
  packet->words[2] = (uint64_t)option;
  packet->words[3] = *size;
  __port_send_end(&port);
  const uint64_t received = __port_recv_n(&port, to, *size);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  const int result = (int)__host_result(reply);
  if (!result)
    *size = (socklen_t)received;
  return result;
}

//===-- Data --------------------------------------------------------------===//

ssize_t sendto(int fd, const void *data, size_t size, int flags,
               const struct sockaddr *address, socklen_t address_size) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_message message = {.data = data,
                          .size = size,
                          .data2 = address,
                          .size2 = address ? address_size : 0,
                          .a = (uint64_t)fd,
                          .b = (uint64_t)flags};
  const host_reply reply =
      __host_send(RPC_SEND, HOST_FORM_TWO_BYTES | HOST_FORM_WORDS, &message);
  if (reply.error == EPIPE && flags & MSG_NOSIGNAL)
    return fail_with(EPIPE);
  return __host_result(reply);
}
ssize_t send(int fd, const void *data, size_t size, int flags) {
  return sendto(fd, data, size, flags, NULL, 0);
}

/// recvfrom(). *flags are the flags of the call and become those of the
/// message.
static ssize_t receive(int fd, void *to, size_t size, int *flags,
                       struct sockaddr *address, socklen_t *address_size) {
  enum { MOST = 1 << 20 };
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  size = size < MOST ? size : MOST;
  const size_t capacity = size + sizeof(struct sockaddr_storage);
  char few[1024], *buffer = few;
  if (capacity > sizeof few && !(buffer = malloc(capacity)))
    return fail_with(ENOMEM);
  uint64_t received = 0;
  host_reply reply;
  do
    reply = __host_receive(RPC_RECEIVE, (uint64_t)fd, size, (uint64_t)*flags,
                           buffer, capacity, &received);
  while (__host_call_restarts(reply));
  const ssize_t result = __host_result(reply);
  const uint64_t of_address = reply.words[1];
  if (result >= 0 && of_address <= received) {
    const uint64_t of_data = received - of_address;
    memcpy(to, buffer, of_data < size ? of_data : size);
    put_address(buffer + of_data, of_address, address, address_size);
    *flags = (int)reply.words[2];
  }
  if (buffer != few)
    free(buffer);
  return result;
}

ssize_t recvfrom(int fd, void *restrict to, size_t size, int flags,
                 struct sockaddr *restrict address,
                 socklen_t *restrict address_size) {
  return receive(fd, to, size, &flags, address, address_size);
}
ssize_t recv(int fd, void *to, size_t size, int flags) {
  return receive(fd, to, size, &flags, NULL, NULL);
}

//===-- Messages in parts -------------------------------------------------===//

/// The number of bytes of all parts; -1 with errno for too many parts or bytes.
static ssize_t size_of_parts(const struct msghdr *message) {
  size_t sum = 0;
  if (message->msg_iovlen > UIO_MAXIOV)
    return fail_with(EMSGSIZE);
  for (size_t i = 0; i < message->msg_iovlen; ++i)
    if (__builtin_add_overflow(sum, message->msg_iov[i].iov_len, &sum))
      return fail_with(EINVAL);
  return sum > (size_t)PTRDIFF_MAX ? fail_with(EINVAL) : (ssize_t)sum;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  const ssize_t size = size_of_parts(message);
  if (size < 0)
    return -1;
  if (message->msg_controllen)
    return fail_with(EOPNOTSUPP);
  char *joined = malloc((size_t)size + 1);
  if (!joined)
    return fail_with(ENOMEM);
  size_t at = 0;
  for (size_t i = 0; i < message->msg_iovlen; ++i) {
    const struct iovec *part = &message->msg_iov[i];
    memcpy(joined + at, part->iov_base, part->iov_len);
    at += part->iov_len;
  }
  const ssize_t result = sendto(fd, joined, at, flags, message->msg_name,
                                message->msg_name ? message->msg_namelen : 0);
  free(joined);
  return result;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  const ssize_t size = size_of_parts(message);
  if (size < 0)
    return -1;
  char *joined = malloc((size_t)size + 1);
  if (!joined)
    return fail_with(ENOMEM);
  const ssize_t result =
      receive(fd, joined, (size_t)size, &flags, message->msg_name,
              message->msg_name ? &message->msg_namelen : NULL);
  size_t left = result < 0 ? 0 : result < size ? (size_t)result : (size_t)size;
  const char *from = joined;
  for (size_t i = 0; i < message->msg_iovlen && left; ++i) {
    const struct iovec *part = &message->msg_iov[i];
    const size_t share = left < part->iov_len ? left : part->iov_len;
    memcpy(part->iov_base, from, share);
    from += share;
    left -= share;
  }
  free(joined);
  if (result >= 0) {
    message->msg_flags = flags;
    message->msg_controllen = 0;
  }
  return result;
}
