//===-- libc-shim/posix/place_at.c - A name in an open directory ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/posix/place_at.h"
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

place_at __place_at(int directory, const char *name) {
  if (directory == AT_FDCWD || *name == '/')
    return (place_at){name, NULL};
  if (!HOST_HAS_POSIX()) {
    errno = ENOSYS;
    return (place_at){NULL, NULL};
  }
  if (!*name) {
    errno = ENOENT;
    return (place_at){NULL, NULL};
  }
  const size_t length = strlen(name);
  char *made = malloc(PATH_MAX + 1 + length + 1);
  if (!made)
    return (place_at){NULL, NULL};
  uint64_t received = 0;
  if (__host_result(__host_receive(RPC_DIRECTORY_PATH, (uint64_t)directory, 0,
                                   0, made, PATH_MAX, &received)) < 0) {
    free(made);
    return (place_at){NULL, NULL};
  }
  size_t at = strnlen(made, PATH_MAX);
  if (!at || made[at - 1] != '/')
    made[at++] = '/';
  memcpy(made + at, name, length + 1);
  return (place_at){made, made};
}
