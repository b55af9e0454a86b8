//===-- libc-shim/fortify/posix.c - POSIX calls that fill memory ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/// glibc's message for a program that lets open() create a file without a mode.
#define WITHOUT_MODE(function)                                                 \
  "invalid " function " call: O_CREAT or O_TMPFILE without mode"

int __open_2(const char *path, int flags) {
  if (flags & O_CREAT)
    __fortify_fail(WITHOUT_MODE("open"));
  return open(path, flags);
}
int __open64_2(const char *path, int flags) {
  if (flags & O_CREAT)
    __fortify_fail(WITHOUT_MODE("open64"));
  return open(path, flags);
}
int __openat_2(int fd, const char *path, int flags) {
  if (flags & O_CREAT)
    __fortify_fail(WITHOUT_MODE("openat"));
  return openat(fd, path, flags);
}
int __openat64_2(int fd, const char *path, int flags) {
  if (flags & O_CREAT)
    __fortify_fail(WITHOUT_MODE("openat64"));
  return openat(fd, path, flags);
}

ssize_t __read_chk(int fd, void *to, size_t size, size_t room) {
  check_room(size, room);
  return read(fd, to, size);
}
ssize_t __pread_chk(int fd, void *to, size_t size, off_t offset, size_t room) {
  check_room(size, room);
  return pread(fd, to, size, offset);
}
ssize_t __pread64_chk(int fd, void *to, size_t size, off_t offset,
                      size_t room) {
  return __pread_chk(fd, to, size, offset, room);
}
ssize_t __readlink_chk(const char *restrict path, char *restrict to,
                       size_t size, size_t room) {
  check_room(size, room);
  return readlink(path, to, size);
}
ssize_t __readlinkat_chk(int fd, const char *restrict path, char *restrict to,
                         size_t size, size_t room) {
  check_room(size, room);
  return readlinkat(fd, path, to, size);
}
char *__getcwd_chk(char *to, size_t size, size_t room) {
  check_room(size, room);
  return getcwd(to, size);
}
char *__realpath_chk(const char *restrict path, char *restrict to,
                     size_t room) {
  check_room(PATH_MAX, room);
  return realpath(path, to);
}
size_t __confstr_chk(int name, char *to, size_t size, size_t room) {
  check_room(size, room);
  return confstr(name, to, size);
}
int __gethostname_chk(char *to, size_t size, size_t room) {
  check_room(size, room);
  return gethostname(to, size);
}
int __getlogin_r_chk(char *to, size_t size, size_t room) {
  check_room(size, room);
  return getlogin_r(to, size);
}
int __ttyname_r_chk(int fd, char *to, size_t size, size_t room) {
  check_room(size, room);
  return ttyname_r(fd, to, size);
}
int __getgroups_chk(int count, gid_t *to, size_t room) {
  if (count > 0)
    check_room((size_t)count, room / sizeof *to);
  return getgroups(count, to);
}
int __poll_chk(struct pollfd *list, nfds_t count, int timeout, size_t room) {
  check_room(count, room / sizeof *list);
  return poll(list, count, timeout);
}
int __ppoll_chk(struct pollfd *list, nfds_t count,
                const struct timespec *timeout, const sigset_t *signals,
                size_t room) {
  check_room(count, room / sizeof *list);
  return ppoll(list, count, timeout, signals);
}
