//===-- libc-shim/posix/attributes.c - Times, owners and modes of files ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX calls that the host serves, see opcodes.def. Callers give seconds,
// microseconds or nanoseconds; the host takes nanoseconds.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/posix/place_at.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

static int name_call(rpc_opcode opcode, const char *path,
                     const uint64_t words[4]) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_message message = {.data = path,
                          .size = strlen(path) + 1,
                          .a = words[0],
                          .b = words[1],
                          .c = words[2],
                          .d = words[3]};
  return (int)__host_result(__host_send(opcode, HOST_FORM_WORDS, &message));
}

static int descriptor_call(rpc_opcode opcode, int fd, uint64_t a, uint64_t b) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  return (int)__host_result(__host_call(opcode, (uint64_t)fd, a, b));
}

static const struct timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};

static int set_times(const char *path, const struct timespec times[2]) {
  const struct timespec *each = times ? times : now;
  return name_call(
      RPC_UTIMENS, path,
      (uint64_t[]){(uint64_t)each[0].tv_sec, (uint64_t)each[0].tv_nsec,
                   (uint64_t)each[1].tv_sec, (uint64_t)each[1].tv_nsec});
}

int utimensat(int directory, const char *path, const struct timespec times[2],
              int flags) {
  if (flags)
    return fail_with(flags == AT_SYMLINK_NOFOLLOW ? ENOTSUP : EINVAL);
  const place_at found = __place_at(directory, path);
  const int result = found.path ? set_times(found.path, times) : -1;
  free(found.made);
  return result;
}

int futimens(int fd, const struct timespec times[2]) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  const struct timespec *each = times ? times : now;
  rpc_port port = __port_open(RPC_FUTIMENS);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = (uint64_t)fd;
  packet->words[1] = (uint64_t)each[0].tv_sec;
  packet->words[2] = (uint64_t)each[0].tv_nsec;
  packet->words[3] = (uint64_t)each[1].tv_sec;
  packet->words[4] = (uint64_t)each[1].tv_nsec;
  __port_send_end(&port);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  return (int)__host_result(reply);
}

/// False if a tv_usec is negative or a second or more.
static _Bool from_microseconds(const struct timeval from[2],
                               struct timespec to[2]) {
  for (int i = 0; i < 2; ++i) {
    if (from[i].tv_usec < 0 || from[i].tv_usec > 999999)
      return 0;
    to[i] = (struct timespec){from[i].tv_sec, from[i].tv_usec * 1000};
  }
  return 1;
}

int utimes(const char *path, const struct timeval times[2]) {
  struct timespec exact[2];
  if (times && !from_microseconds(times, exact))
    return fail_with(EINVAL);
  return set_times(path, times ? exact : NULL);
}
int futimes(int fd, const struct timeval times[2]) {
  struct timespec exact[2];
  if (times && !from_microseconds(times, exact))
    return fail_with(EINVAL);
  return futimens(fd, times ? exact : NULL);
}
int utime(const char *path, const struct utimbuf *times) {
  if (!times)
    return set_times(path, NULL);
  return set_times(
      path, (struct timespec[]){{times->actime, 0}, {times->modtime, 0}});
}

static int set_owner(const char *path, uid_t owner, gid_t group, int link) {
  return name_call(RPC_CHOWN, path,
                   (uint64_t[]){owner, group, (uint64_t)link, 0});
}
int chown(const char *path, uid_t owner, gid_t group) {
  return set_owner(path, owner, group, 0);
}
int lchown(const char *path, uid_t owner, gid_t group) {
  return set_owner(path, owner, group, 1);
}
int fchown(int fd, uid_t owner, gid_t group) {
  return descriptor_call(RPC_FCHOWN, fd, owner, group);
}
int fchmod(int fd, mode_t mode) {
  return descriptor_call(RPC_FCHMOD, fd, mode, 0);
}

mode_t umask(mode_t mask) {
  // umask() cannot fail. A host without this call serves no files either.
  if (!HOST_HAS_POSIX())
    return 022;
  return (mode_t)__host_call(RPC_UMASK, mask, 0, 0).words[0];
}
