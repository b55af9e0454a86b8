//===-- support/own_file.c - See own_file.h -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/own_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Why a file with these facts is not to be used; "" when it is of `kind`
/// (S_IFREG or S_IFDIR), this user's, and writable by nobody else.
static const char *distrust_own(const struct stat *facts, mode_t kind) {
  if ((facts->st_mode & S_IFMT) != kind)
    return kind == S_IFDIR ? " is no folder" : " is no file";
  if (facts->st_uid != geteuid())
    return " belongs to another user";
  if (facts->st_mode & (S_IWGRP | S_IWOTH))
    return " can be written by other users";
  return "";
}

/// Returns `fd` if it is open and `reason` is empty. Otherwise closes it, sets
/// errno to `error`, completes `reason`, and returns -1.
static int keep(int fd, int error, char reason[GPUEXEC_REASON]) {
  if (!*reason && fd >= 0)
    return fd;
  if (!*reason)
    snprintf(reason, GPUEXEC_REASON, ": %s", strerror(error));
  if (fd >= 0)
    close(fd);
  errno = error;
  return -1;
}

int gpuexec_open_own_file(int folder, const char *name, int flags,
                          char reason[GPUEXEC_REASON]) {
  struct stat facts;
  const int fd = openat(folder, name,
                        flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                        S_IRUSR | S_IWUSR);
  const int error = fd >= 0 ? EPERM : errno;
  *reason = '\0';
  // Where open() failed, the file's type and owner explain it better than errno
  // does (a FIFO: ENXIO; another user's file: EACCES).
  if (fd >= 0 ? fstat(fd, &facts) == 0
              : fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0)
    snprintf(reason, GPUEXEC_REASON, "%s", distrust_own(&facts, S_IFREG));
  return keep(fd, error, reason);
}

static void make_folders(const char *path) {
  char part[PATH_MAX];
  if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
    return;
  for (char *slash = strchr(part + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(part, S_IRWXU);
    *slash = '/';
  }
  mkdir(part, S_IRWXU);
}

int gpuexec_open_own_folder(const char *path, char reason[GPUEXEC_REASON]) {
  struct stat facts;
  *reason = '\0';
  make_folders(path);
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const int error = errno;
  if (fd >= 0 ? fstat(fd, &facts) == 0 : error == ENOTDIR || error == ELOOP)
    snprintf(reason, GPUEXEC_REASON, "%s",
             fd >= 0 ? distrust_own(&facts, S_IFDIR) : " is no folder");
  return keep(fd, error, reason);
}

void gpuexec_cache_path(const char *name, char *path, size_t size) {
  // A relative path in XDG_CACHE_HOME is to be ignored (XDG Base Directory
  // Specification).
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = 0;
  *path = '\0';
  if (caches && *caches == '/')
    length = snprintf(path, size, "%s/gpuexec/%s", caches, name);
  else if (home && *home == '/')
    length = snprintf(path, size, "%s/.cache/gpuexec/%s", home, name);
  if ((size_t)length >= size)
    *path = '\0';
}
