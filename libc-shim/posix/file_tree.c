//===-- libc-shim/posix/file_tree.c - fts_open and its family -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fts.h. Each file has its whole path, so that the walk does not change the
// working directory. The files of a directory are a list. It is made when the
// walk enters the directory or fts_children() asks for it, and each file is
// freed when the walk has passed it.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <dirent.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct __fts {
  FTSENT *current;  ///< returned by fts_read(); before that one of FTS_INIT
  FTSENT *children; ///< of `current`, from fts_children(); else null
  bool names_only;  ///< the children have only their names set
  int options;
  dev_t device; ///< of the argument of fts_open() above `current`
  int (*order)(const FTSENT **, const FTSENT **);
};

/// Makes a file with the path `directory`/`name`, or `name` if `directory` is
/// null. Null with errno ENOMEM or ENAMETOOLONG.
static FTSENT *make_file(FTSENT *directory, const char *name) {
  size_t above = 0;
  if (directory) {
    above = directory->fts_pathlen;
    if (above && directory->fts_path[above - 1] == '/')
      --above;
  }
  const size_t length = strlen(name);
  if (above + 1 + length > USHRT_MAX) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  struct {
    FTSENT file;
    struct stat information;
    char path[];
  } *made = calloc(1, sizeof *made + above + 1 + length + 1);
  if (!made)
    return NULL;
  FTSENT *file = &made->file;
  file->fts_statp = &made->information;
  file->fts_accpath = file->fts_path = file->fts_name = made->path;
  if (directory) {
    memcpy(made->path, directory->fts_path, above);
    made->path[above] = '/';
    file->fts_name += above + 1;
  }
  memcpy(file->fts_name, name, length + 1);
  file->fts_namelen = (unsigned short)length;
  file->fts_pathlen = (unsigned short)(file->fts_name - made->path + length);
  file->fts_instr = FTS_NOINSTR;
  return file;
}

static void free_list(FTSENT *file) {
  while (file) {
    FTSENT *next = file->fts_link;
    free(file);
    file = next;
  }
}

static bool is_dot(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/// Fills in fts_statp. False, with fts_errno, when that fails. `follow`: of a
/// link, takes what it leads to; *broken_link tells that this does not exist.
static bool look(FTSENT *file, bool follow, bool *broken_link) {
  *broken_link = false;
  if (follow && !stat(file->fts_accpath, file->fts_statp))
    return true;
  const int error = errno;
  if (!lstat(file->fts_accpath, file->fts_statp)) {
    *broken_link = follow;
    return true;
  }
  file->fts_errno = follow ? error : errno;
  memset(file->fts_statp, 0, sizeof *file->fts_statp);
  return false;
}

/// Determines the kind of the file: returns the value for fts_info.
static unsigned short examine(const FTS *walk, FTSENT *file, bool follow) {
  bool broken_link;
  follow |= (walk->options & FTS_LOGICAL) != 0;
  if (!look(file, follow, &broken_link))
    return FTS_NS;
  if (broken_link)
    return FTS_SLNONE;
  const mode_t mode = file->fts_statp->st_mode;
  if (!S_ISDIR(mode))
    return S_ISLNK(mode) ? FTS_SL : S_ISREG(mode) ? FTS_F : FTS_DEFAULT;
  file->fts_dev = file->fts_statp->st_dev;
  file->fts_ino = file->fts_statp->st_ino;
  file->fts_nlink = (nlink_t)file->fts_statp->st_nlink;
  if (is_dot(file->fts_name))
    return FTS_DOT;
  for (FTSENT *above = file->fts_parent;
       above && above->fts_level >= FTS_ROOTLEVEL; above = above->fts_parent)
    if (above->fts_ino == file->fts_ino && above->fts_dev == file->fts_dev) {
      file->fts_cycle = above;
      return FTS_DC;
    }
  return FTS_D;
}

/// Sorts a list of `count` files by the program's function. Returns the list,
/// unsorted if there is no memory.
static FTSENT *sort(const FTS *walk, FTSENT *list, size_t count) {
  if (!walk->order || count < 2)
    return list;
  FTSENT **array = malloc(count * sizeof *array);
  if (!array)
    return list;
  size_t at = 0;
  for (FTSENT *file = list; file; file = file->fts_link)
    array[at++] = file;
  qsort(array, count, sizeof *array,
        (int (*)(const void *, const void *))walk->order);
  for (at = 0; at + 1 < count; ++at)
    array[at]->fts_link = array[at + 1];
  array[at]->fts_link = NULL;
  list = array[0];
  free(array);
  return list;
}

/// Is stat() not needed for this entry of a directory?
static bool known_by_name(const FTS *walk, const struct dirent *entry) {
  return (walk->options & FTS_NOSTAT) && (walk->options & FTS_PHYSICAL) &&
         entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN;
}

/// Lists the files of the directory walk->current; with `names_only` without
/// examining them. Null if there are none (errno is 0) or after an error.
static FTSENT *list_files(const FTS *walk, bool names_only) {
  FTSENT *directory = walk->current, *first = NULL, **last = &first;
  size_t count = 0;
  errno = 0;
  DIR *entries = opendir(directory->fts_accpath);
  if (!entries)
    return NULL;
  for (struct dirent *entry; (entry = readdir(entries));) {
    if (is_dot(entry->d_name) && !(walk->options & FTS_SEEDOT))
      continue;
    FTSENT *file = make_file(directory, entry->d_name);
    if (!file) {
      const int error = errno;
      closedir(entries);
      free_list(first);
      errno = error;
      return NULL;
    }
    file->fts_parent = directory;
    file->fts_level = (short)(directory->fts_level + 1);
    file->fts_info = names_only || known_by_name(walk, entry)
                         ? FTS_NSOK
                         : examine(walk, file, false);
    *last = file;
    last = &file->fts_link;
    ++count;
  }
  closedir(entries);
  errno = 0;
  return sort(walk, first, count);
}

FTS *fts_open(char *const *paths, int options,
              int (*order)(const FTSENT **, const FTSENT **)) {
  if (options & ~FTS_OPTIONMASK) {
    errno = EINVAL;
    return NULL;
  }
  FTS *walk = calloc(1, sizeof *walk);
  FTSENT *above = make_file(NULL, ""), *before = make_file(NULL, "");
  if (!walk || !above || !before)
    goto failed;
  walk->options = options;
  walk->order = order;
  above->fts_level = FTS_ROOTPARENTLEVEL;
  before->fts_info = FTS_INIT;
  before->fts_parent = above;
  walk->current = before;
  FTSENT **last = &before->fts_link;
  size_t count = 0;
  for (; *paths; ++paths, ++count) {
    FTSENT *file = **paths ? make_file(NULL, *paths) : NULL;
    if (!file) {
      if (!**paths)
        errno = ENOENT;
      goto failed;
    }
    file->fts_parent = above;
    *last = file;
    last = &file->fts_link;
    file->fts_info = examine(walk, file, options & FTS_COMFOLLOW);
    if (file->fts_info == FTS_DOT)
      file->fts_info = FTS_D;
  }
  before->fts_link = sort(walk, before->fts_link, count);
  return walk;

failed:
  free_list(before);
  free(above);
  free(walk);
  return NULL;
}

/// Prepares an argument of fts_open(), when the walk comes to it: its name
/// becomes the last part of its path.
static void begin_root(FTS *walk, FTSENT *root) {
  walk->device = root->fts_dev;
  char *slash = strrchr(root->fts_path, '/');
  if (slash && (slash != root->fts_path || slash[1])) {
    root->fts_name = slash + 1;
    root->fts_namelen = (unsigned short)strlen(root->fts_name);
  }
}

/// Enters the directory walk->current: returns its first file; or the directory
/// again, with FTS_DP if it is empty, FTS_DNR if it cannot be read.
static FTSENT *go_down(FTS *walk) {
  FTSENT *directory = walk->current;
  if (walk->names_only) {
    free_list(walk->children);
    walk->children = NULL;
    walk->names_only = false;
  }
  FTSENT *first = walk->children ? walk->children : list_files(walk, false);
  walk->children = NULL;
  if (first)
    return walk->current = first;
  directory->fts_info = errno ? FTS_DNR : FTS_DP;
  directory->fts_errno = errno;
  return directory;
}

/// The next file of the directory, or the directory after its last one. Null at
/// the end of the walk.
static FTSENT *go_on(FTS *walk) {
  for (;;) {
    FTSENT *done = walk->current, *next = done->fts_link;
    if (!next) {
      FTSENT *above = done->fts_parent;
      free(done);
      walk->current = above;
      if (above->fts_level == FTS_ROOTPARENTLEVEL) {
        free(above);
        errno = 0;
        return walk->current = NULL;
      }
      above->fts_info = above->fts_errno ? FTS_ERR : FTS_DP;
      return above;
    }
    free(done);
    walk->current = next;
    if (next->fts_level == FTS_ROOTLEVEL)
      begin_root(walk, next);
    if (next->fts_instr == FTS_SKIP)
      continue;
    if (next->fts_instr == FTS_FOLLOW) {
      next->fts_info = examine(walk, next, true);
      next->fts_instr = FTS_NOINSTR;
    }
    return next;
  }
}

FTSENT *fts_read(FTS *walk) {
  FTSENT *file = walk->current;
  if (!file)
    return NULL;
  const unsigned short instruction = file->fts_instr;
  file->fts_instr = FTS_NOINSTR;
  if (instruction == FTS_AGAIN) {
    file->fts_info = examine(walk, file, false);
    return file;
  }
  if (instruction == FTS_FOLLOW &&
      (file->fts_info == FTS_SL || file->fts_info == FTS_SLNONE)) {
    file->fts_info = examine(walk, file, true);
    return file;
  }
  if (file->fts_info == FTS_D) {
    const bool elsewhere =
        (walk->options & FTS_XDEV) && file->fts_dev != walk->device;
    if (instruction != FTS_SKIP && !elsewhere)
      return go_down(walk);
    free_list(walk->children);
    walk->children = NULL;
    walk->names_only = false;
    file->fts_info = FTS_DP;
    return file;
  }
  return go_on(walk);
}

FTSENT *fts_children(FTS *walk, int instruction) {
  if (instruction && instruction != FTS_NAMEONLY) {
    errno = EINVAL;
    return NULL;
  }
  errno = 0;
  if (!walk->current)
    return NULL;
  if (walk->current->fts_info == FTS_INIT)
    return walk->current->fts_link;
  if (walk->current->fts_info != FTS_D)
    return NULL;
  free_list(walk->children);
  walk->names_only = instruction == FTS_NAMEONLY;
  return walk->children = list_files(walk, walk->names_only);
}

int fts_set(FTS *walk, FTSENT *file, int instruction) {
  (void)walk;
  if (instruction < 0 || instruction > FTS_SKIP) {
    errno = EINVAL;
    return 1;
  }
  file->fts_instr = (unsigned short)instruction;
  return 0;
}

int fts_close(FTS *walk) {
  free_list(walk->children);
  FTSENT *file = walk->current;
  while (file) {
    FTSENT *next = file->fts_link ? file->fts_link : file->fts_parent;
    free(file);
    file = next;
  }
  free(walk);
  return 0;
}
