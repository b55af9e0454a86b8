//===-- libc-shim/posix/shared_memory.c - shm_open ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object is a file of the host in /dev/shm, where Linux's C library has
// them.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FOLDER "/dev/shm/"
// As in glibc: longer names are no names, those above NAME_MAX only too long.
#define MOST (NAME_MAX + 4)

/// Writes the object's path. False if `name` is not one.
static bool path_of(const char *name, char path[sizeof FOLDER + MOST]) {
  while (*name == '/')
    ++name;
  const size_t size = strlen(name);
  if (!size || size > MOST || strchr(name, '/'))
    return false;
  memcpy(path, FOLDER, sizeof FOLDER - 1);
  memcpy(path + sizeof FOLDER - 1, name, size + 1);
  return true;
}

int shm_open(const char *name, int flags, mode_t mode) {
  char path[sizeof FOLDER + MOST];
  if (!path_of(name, path))
    return fail_with(EINVAL);
  const int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0 && errno == EISDIR)
    errno = EINVAL; // "." and ".."
  return fd;
}

int shm_unlink(const char *name) {
  char path[sizeof FOLDER + MOST];
  if (!path_of(name, path))
    return fail_with(ENOENT);
  const int result = unlink(path);
  if (result && errno == EPERM)
    errno = EACCES;
  return result;
}
