//===-- libc-shim/posix/locks.c - Locks of files --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locks belong to the process that serves the calls on the host, so threads
// of one program do not exclude each other.
//===----------------------------------------------------------------------===//
#include "libc-shim/posix/locks.h"
#include "libc-shim/device/host_call.h"
#include <sys/file.h>
#include <unistd.h>

/// Asks the host. *found: the lock that is in the way, after F_GETLK.
static host_reply ask(int fd, int command, const struct flock *lock,
                      struct flock *found) {
  rpc_port port = __port_open(RPC_LOCK_RANGE);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = (uint64_t)fd;
  packet->words[1] = (uint64_t)command;
  packet->words[2] = (uint64_t)lock->l_type;
  packet->words[3] = (uint64_t)lock->l_whence;
  packet->words[4] = (uint64_t)lock->l_start;
  packet->words[5] = (uint64_t)lock->l_len;
  __port_send_end(&port);
  const rpc_packet *answer = __port_recv(&port);
  const host_reply reply = host_reply_in(answer);
  *found = (struct flock){(short)answer->words[1], (short)answer->words[2],
                          (off_t)answer->words[3], (off_t)answer->words[4],
                          (pid_t)answer->words[5]};
  __port_close(&port);
  return reply;
}

int __lock_range(int fd, int command, struct flock *lock) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  struct flock found;
  host_reply reply;
  do
    reply = ask(fd, command, lock, &found);
  while (__host_call_restarts(reply));
  const int result = (int)__host_result(reply);
  if (!result && command == F_GETLK) {
    if (found.l_type == F_UNLCK)
      lock->l_type = F_UNLCK;
    else
      *lock = found;
  }
  return result;
}

int flock(int fd, int operation) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply;
  do
    reply = __host_call(RPC_LOCK_FILE, (uint64_t)fd, (uint64_t)operation, 0);
  while (__host_call_restarts(reply));
  return (int)__host_result(reply);
}

int lockf(int fd, int command, off_t size) {
  struct flock lock = {.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK,
                       .l_whence = SEEK_CUR,
                       .l_len = size};
  switch (command) {
  case F_LOCK:
    return __lock_range(fd, F_SETLKW, &lock);
  case F_TLOCK:
  case F_ULOCK:
    return __lock_range(fd, F_SETLK, &lock);
  case F_TEST:
    if (__lock_range(fd, F_GETLK, &lock))
      return -1;
    return lock.l_type == F_UNLCK ? 0 : fail_with(EACCES);
  default:
    return fail_with(EINVAL);
  }
}
