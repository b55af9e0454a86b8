//===-- libc-shim/posix/tree_walk.c - ftw, nftw ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See ftw.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int (*plain)(const char *, const struct stat *, int); ///< of ftw()
  int (*full)(const char *, const struct stat *, int, struct FTW *);
  int flags;
} options;

typedef struct {
  options how;
  unsigned long device; ///< of the first path
  char path[PATH_MAX];  ///< of the file that is being visited
} walk;

/// The directories above the file that is being visited, the nearest first.
typedef struct ancestors {
  const struct ancestors *above;
  unsigned long device, inode;
} ancestors;

static int tell(walk *w, const struct stat *information, int kind,
                struct FTW at) {
  return w->how.plain ? w->how.plain(w->path, information, kind)
                      : w->how.full(w->path, information, kind, &at);
}

/// The kind (FTW_*) of the file w->path; -1 with errno if it cannot be found
/// out.
static int look(const walk *w, struct stat *to) {
  if (!(w->how.flags & FTW_PHYS) && !stat(w->path, to))
    return S_ISDIR(to->st_mode) ? FTW_D : FTW_F;
  const int error = errno;
  if (lstat(w->path, to)) {
    memset(to, 0, sizeof *to);
    return errno == EACCES ? FTW_NS : -1;
  }
  if (w->how.flags & FTW_PHYS)
    return S_ISLNK(to->st_mode) ? FTW_SL : S_ISDIR(to->st_mode) ? FTW_D : FTW_F;
  if (S_ISLNK(to->st_mode) && error == ENOENT)
    return w->how.plain ? FTW_NS : FTW_SLN;
  return FTW_NS;
}

static int visit(walk *w, struct FTW at, const ancestors *above);

/// Visits the files in the directory w->path, a path of `size` characters.
static int visit_entries(walk *w, DIR *directory, size_t size, int level,
                         const ancestors *above) {
  int result = 0;
  const size_t slash = size && w->path[size - 1] == '/' ? size - 1 : size;
  for (struct dirent *entry; !result && (entry = readdir(directory));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
      continue;
    if (slash + 1 + strlen(entry->d_name) >= PATH_MAX) {
      result = fail_with(ENAMETOOLONG);
      break;
    }
    w->path[slash] = '/';
    strcpy(w->path + slash + 1, entry->d_name);
    result = visit(w, (struct FTW){(int)slash + 1, level + 1}, above);
  }
  w->path[size] = 0;
  return result;
}

/// Has a symbolic link led back to a directory that the walk is in?
static bool is_loop(const ancestors *above, const struct stat *now) {
  for (; above; above = above->above)
    if (above->device == now->st_dev && above->inode == now->st_ino)
      return true;
  return false;
}

static int visit(walk *w, struct FTW at, const ancestors *above) {
  struct stat information;
  int kind = look(w, &information);
  if (kind < 0)
    return at.level ? 0 : -1; // an entry that was removed meanwhile
  if (!at.level)
    w->device = information.st_dev;
  if ((w->how.flags & FTW_MOUNT) && information.st_dev != w->device)
    return 0;
  if (kind != FTW_D)
    return tell(w, &information, kind, at);
  if (is_loop(above, &information))
    return 0;
  const ancestors here = {above, information.st_dev, information.st_ino};
  DIR *directory = opendir(w->path);
  if (!directory)
    return errno == EACCES ? tell(w, &information, FTW_DNR, at) : -1;
  int result = w->how.flags & FTW_DEPTH ? 0 : tell(w, &information, FTW_D, at);
  if (!result)
    result = visit_entries(w, directory, strlen(w->path), at.level, &here);
  closedir(directory);
  if (!result && (w->how.flags & FTW_DEPTH))
    result = tell(w, &information, FTW_DP, at);
  return result;
}

static int start(const char *path, const options *how) {
  size_t size = strlen(path);
  if (size >= PATH_MAX)
    return fail_with(ENAMETOOLONG);
  walk *w = malloc(sizeof *w);
  if (!w)
    return fail_with(ENOMEM);
  w->how = *how;
  strcpy(w->path, path);
  while (size > 1 && w->path[size - 1] == '/')
    w->path[--size] = 0;
  const char *last = strrchr(w->path, '/');
  const int base = last && last[1] ? (int)(last + 1 - w->path) : 0;
  const int result = visit(w, (struct FTW){base, 0}, NULL);
  free(w);
  return result;
}

int ftw(const char *path, int (*tell)(const char *, const struct stat *, int),
        int descriptors) {
  (void)descriptors;
  const options how = {.plain = tell};
  return start(path, &how);
}
int nftw(const char *path,
         int (*tell)(const char *, const struct stat *, int, struct FTW *),
         int descriptors, int flags) {
  (void)descriptors;
  if (flags & ~(FTW_PHYS | FTW_MOUNT | FTW_DEPTH))
    return fail_with(EINVAL);
  const options how = {.full = tell, .flags = flags};
  return start(path, &how);
}
