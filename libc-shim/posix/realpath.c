//===-- libc-shim/posix/realpath.c - Paths without links ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the host about each component of the path. As on a host, other processes
// may change the folders meanwhile.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

/// Appends the components of the path `left` to `done`, the resolved part, and
/// replaces links. `done` has a trailing slash only if it is the root. `target`
/// is a buffer for links. None of them is on the stack, which has 8 KiB on
/// NVIDIA. False with errno.
static bool follow(char *done, char *left, char *target) {
  int links = 0;
  for (char *at = left; *at;) {
    at += strspn(at, "/");
    const size_t length = strcspn(at, "/"), used = strlen(done);
    if (!length)
      break;
    char *next = at + length;
    if (length == 1 && *at == '.') {
      at = next;
      continue;
    }
    if (length == 2 && at[0] == '.' && at[1] == '.') {
      char *slash = strrchr(done, '/');
      slash[slash == done] = 0;
      at = next;
      continue;
    }
    const bool root = used == 1;
    if (used + !root + length + 1 > PATH_MAX) {
      errno = ENAMETOOLONG;
      return false;
    }
    if (!root)
      done[used] = '/';
    memcpy(done + used + !root, at, length);
    done[used + !root + length] = 0;
    struct stat status;
    if (lstat(done, &status))
      return false;
    if (S_ISLNK(status.st_mode)) {
      const ssize_t size = readlink(done, target, PATH_MAX - 1);
      if (size < 0)
        return false;
      const size_t rest = strlen(next);
      if (++links > MOST_LINKS || (size_t)size + rest >= PATH_MAX) {
        errno = links > MOST_LINKS ? ELOOP : ENAMETOOLONG;
        return false;
      }
      memmove(left + size, next, rest + 1);
      memcpy(left, target, (size_t)size);
      at = left;
      done[target[0] == '/' ? 1 : used] = 0;
      continue;
    }
    if (*next && !S_ISDIR(status.st_mode)) {
      errno = ENOTDIR;
      return false;
    }
    at = next;
  }
  return true;
}

char *realpath(const char *restrict path, char *restrict to) {
  if (!path || !*path || strlen(path) >= PATH_MAX) {
    errno = !path ? EINVAL : *path ? ENAMETOOLONG : ENOENT;
    return NULL;
  }
  char *done = malloc(PATH_MAX), *left = malloc(2 * PATH_MAX);
  bool good = done && left;
  if (!good) {
    errno = ENOMEM;
  } else {
    strcpy(left, path);
    strcpy(done, "/");
    good = (*path == '/' || getcwd(done, PATH_MAX)) &&
           follow(done, left, left + PATH_MAX);
  }
  free(left);
  if (good && to)
    strcpy(to, done);
  if (!good || to)
    free(done);
  return !good ? NULL : to ? to : done;
}
