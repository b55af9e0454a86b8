//===-- libc-shim/posix/special_files.c - FIFOs, space, terminals' names --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int mkfifo(const char *path, mode_t mode) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_message message = {.data = path, .size = strlen(path) + 1, .a = mode};
  return (int)__host_result(__host_send(RPC_MKFIFO, HOST_FORM_WORDS, &message));
}

int mknod(const char *path, mode_t mode, dev_t device) {
  (void)device;
  if (S_ISFIFO(mode))
    return mkfifo(path, mode & 07777);
  if ((mode & S_IFMT) && !S_ISREG(mode))
    return fail_with(EPERM);
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, mode & 07777);
  return fd < 0 ? -1 : close(fd);
}

int mknodat(int directory, const char *path, mode_t mode, dev_t device) {
  (void)device;
  if (S_ISFIFO(mode))
    return mkfifoat(directory, path, mode & 07777);
  if ((mode & S_IFMT) && !S_ISREG(mode))
    return fail_with(EPERM);
  const int fd =
      openat(directory, path, O_WRONLY | O_CREAT | O_EXCL, mode & 07777);
  return fd < 0 ? -1 : close(fd);
}

int lchmod(const char *path, mode_t mode) {
  struct stat status;
  if (lstat(path, &status))
    return -1;
  return S_ISLNK(status.st_mode) ? fail_with(EOPNOTSUPP) : chmod(path, mode);
}

int posix_fallocate(int fd, off_t offset, off_t length) {
  if (!HOST_HAS_POSIX())
    return ENOSYS;
  return __host_call(RPC_FALLOCATE, (uint64_t)fd, (uint64_t)offset,
                     (uint64_t)length)
      .error;
}

int posix_fadvise(int fd, off_t offset, off_t length, int advice) {
  (void)offset;
  if (advice < POSIX_FADV_NORMAL || advice > POSIX_FADV_NOREUSE || length < 0)
    return EINVAL;
  return fcntl(fd, F_GETFD) < 0 ? EBADF : 0;
}

/// Returns 0 or an errno value.
int ttyname_r(int fd, char *to, size_t size) {
  if (!HOST_HAS_POSIX())
    return ENOSYS;
  char name[64];
  uint64_t received = 0;
  host_reply reply = __host_receive(RPC_TTYNAME, (uint64_t)fd, 0, 0, name,
                                    sizeof name, &received);
  if (reply.error)
    return reply.error;
  return strlcpy(to, name, size) >= size ? ERANGE : 0;
}
char *ttyname(int fd) {
  static char name[64]; // one for all threads, as in glibc
  const int error = ttyname_r(fd, name, sizeof name);
  if (error)
    errno = error;
  return error ? NULL : name;
}

char *ctermid(char *to) {
  static char name[] = "/dev/tty";
  return to ? strcpy(to, name) : name;
}
