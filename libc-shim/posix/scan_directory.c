//===-- libc-shim/posix/scan_directory.c - scandir and its orders ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int alphasort(const struct dirent **first, const struct dirent **second) {
  return strcoll((*first)->d_name, (*second)->d_name);
}
int versionsort(const struct dirent **first, const struct dirent **second) {
  return strverscmp((*first)->d_name, (*second)->d_name);
}

static void free_all(struct dirent **list, int count) {
  while (count > 0)
    free(list[--count]);
  free(list);
}

/// Adds a copy of `entry`. False when there is no memory.
static _Bool add(struct dirent ***list, int *count, int *capacity,
                 const struct dirent *entry) {
  if (*count == *capacity) {
    const int wanted = *capacity ? 2 * *capacity : 16;
    struct dirent **larger =
        realloc(*list, (size_t)wanted * sizeof(struct dirent *));
    if (!larger)
      return 0;
    *list = larger;
    *capacity = wanted;
  }
  struct dirent *copy = malloc(sizeof *copy);
  if (!copy)
    return 0;
  *copy = *entry;
  (*list)[(*count)++] = copy;
  return 1;
}

int scandir(const char *restrict path, struct dirent ***restrict to,
            int (*wants)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  DIR *directory = opendir(path);
  if (!directory)
    return -1;
  const int error_before = errno;
  struct dirent **list = NULL, *entry;
  int count = 0, capacity = 0, error = 0;
  while (!error && (errno = 0, entry = readdir(directory))) {
    if (wants && !wants(entry))
      continue;
    if (!add(&list, &count, &capacity, entry))
      error = ENOMEM;
  }
  error = error ? error : errno;
  closedir(directory);
  if (error) {
    free_all(list, count);
    errno = error;
    return -1;
  }
  errno = error_before;
  if (compare && count)
    qsort(list, (size_t)count, sizeof *list,
          (int (*)(const void *, const void *))(void *)compare);
  *to = list ? list : malloc(sizeof *list);
  return count;
}
