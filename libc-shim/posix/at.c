//===-- libc-shim/posix/at.c - Names relative to an open directory --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// openat() and its like: ask the host for the directory's path, then call the
// ordinary function with the whole path. A sandbox checks that path.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/posix/directory.h"
#include "libc-shim/posix/place_at.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Evaluates `call`, in which the variable `path` is the whole path of `name`.
/// -1 with errno if the directory's path cannot be found.
#define AT(directory, name, call)                                              \
  ({                                                                           \
    const place_at found = __place_at(directory, name);                        \
    const char *path = found.path;                                             \
    long result = path ? (call) : -1;                                          \
    free(found.made);                                                          \
    result;                                                                    \
  })

int openat(int directory, const char *name, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    va_end(list);
  }
  return (int)AT(directory, name, open(path, flags, mode));
}

int fstatat(int directory, const char *restrict name, struct stat *restrict to,
            int flags) {
  if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT))
    return fail_with(EINVAL);
  if ((flags & AT_EMPTY_PATH) && !*name)
    return directory == AT_FDCWD ? stat(".", to) : fstat(directory, to);
  return (int)AT(directory, name,
                 flags & AT_SYMLINK_NOFOLLOW ? lstat(path, to)
                                             : stat(path, to));
}

int faccessat(int directory, const char *name, int mode, int flags) {
  if (flags & ~(AT_EACCESS | AT_SYMLINK_NOFOLLOW))
    return fail_with(EINVAL);
  struct stat status;
  if (flags & AT_SYMLINK_NOFOLLOW) // access() would follow a link
    return mode == F_OK ? fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW)
                        : fail_with(ENOTSUP);
  return (int)AT(directory, name, access(path, mode));
}

int unlinkat(int directory, const char *name, int flags) {
  if (flags & ~AT_REMOVEDIR)
    return fail_with(EINVAL);
  return (int)AT(directory, name, flags ? rmdir(path) : unlink(path));
}
int mkdirat(int directory, const char *name, mode_t mode) {
  return (int)AT(directory, name, mkdir(path, mode));
}
int mkfifoat(int directory, const char *name, mode_t mode) {
  return (int)AT(directory, name, mkfifo(path, mode));
}
int fchmodat(int directory, const char *name, mode_t mode, int flags) {
  if (flags)
    return fail_with(flags == AT_SYMLINK_NOFOLLOW ? ENOTSUP : EINVAL);
  return (int)AT(directory, name, chmod(path, mode));
}
int fchownat(int directory, const char *name, uid_t owner, gid_t group,
             int flags) {
  if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
    return fail_with(EINVAL);
  if ((flags & AT_EMPTY_PATH) && !*name)
    return fchown(directory, owner, group);
  return (int)AT(directory, name,
                 flags & AT_SYMLINK_NOFOLLOW ? lchown(path, owner, group)
                                             : chown(path, owner, group));
}
ssize_t readlinkat(int directory, const char *restrict name, char *restrict to,
                   size_t size) {
  return AT(directory, name, readlink(path, to, size));
}
int symlinkat(const char *text, int directory, const char *name) {
  return (int)AT(directory, name, symlink(text, path));
}

/// Calls `act` with the whole paths of both names.
static int with_both(int old_directory, const char *old, int new_directory,
                     const char *new, int (*act)(const char *, const char *)) {
  const place_at from = __place_at(old_directory, old);
  const int result =
      from.path ? (int)AT(new_directory, new, act(from.path, path)) : -1;
  free(from.made);
  return result;
}
int renameat(int old_directory, const char *old, int new_directory,
             const char *new) {
  return with_both(old_directory, old, new_directory, new, rename);
}
int linkat(int old_directory, const char *old, int new_directory,
           const char *new, int flags) {
  if (flags) // AT_SYMLINK_FOLLOW: link() does not follow links
    return fail_with(flags == AT_SYMLINK_FOLLOW ? ENOTSUP : EINVAL);
  return with_both(old_directory, old, new_directory, new, link);
}

int fchdir(int fd) { return (int)AT(fd, ".", chdir(path)); }

DIR *fdopendir(int fd) {
  const place_at found = __place_at(fd, ".");
  DIR *directory = found.path ? opendir(found.path) : NULL;
  free(found.made);
  if (directory)
    __directory_keeps(directory, fd);
  return directory;
}
