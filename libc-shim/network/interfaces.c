//===-- libc-shim/network/interfaces.c - Names of network interfaces ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See net/if.h.
//===----------------------------------------------------------------------===//
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/sys/class/net"

unsigned if_nametoindex(const char *name) {
  char path[sizeof FOLDER + IF_NAMESIZE + sizeof "/ifindex"], text[16] = "";
  if (!*name || strlen(name) >= IF_NAMESIZE || strchr(name, '/')) {
    errno = ENODEV;
    return 0;
  }
  snprintf(path, sizeof path, FOLDER "/%s/ifindex", name);
  const int fd = open(path, O_RDONLY);
  if (fd < 0) {
    errno = ENODEV;
    return 0;
  }
  read(fd, text, sizeof text - 1);
  close(fd);
  return (unsigned)strtoul(text, NULL, 10);
}

/// Finds the next interface of the folder: its name and number. False at the
/// end.
static bool next(DIR *folder, char *name, unsigned *index) {
  for (struct dirent *entry; (entry = readdir(folder));)
    if (*entry->d_name != '.' && (*index = if_nametoindex(entry->d_name))) {
      strlcpy(name, entry->d_name, IF_NAMESIZE);
      return true;
    }
  return false;
}

char *if_indextoname(unsigned wanted, char *name) {
  DIR *folder = opendir(FOLDER);
  char found[IF_NAMESIZE];
  unsigned index = 0;
  while (folder && next(folder, found, &index) && index != wanted)
    index = 0;
  if (folder)
    closedir(folder);
  if (!wanted || index != wanted) {
    errno = ENXIO;
    return NULL;
  }
  return strcpy(name, found);
}

void if_freenameindex(struct if_nameindex *list) {
  for (struct if_nameindex *at = list; at && at->if_name; ++at)
    free(at->if_name);
  free(list);
}

struct if_nameindex *if_nameindex(void) {
  struct if_nameindex *list = calloc(1, sizeof *list);
  DIR *folder = opendir(FOLDER);
  char name[IF_NAMESIZE];
  unsigned index, count = 0;
  while (list && folder && next(folder, name, &index)) {
    struct if_nameindex *larger = realloc(list, (count + 2) * sizeof *list);
    char *copy = larger ? strdup(name) : NULL;
    list = larger ? larger : list;
    if (!copy) {
      if_freenameindex(list);
      list = NULL;
      break;
    }
    list[count++] = (struct if_nameindex){index, copy};
    list[count] = (struct if_nameindex){0, NULL};
  }
  if (folder)
    closedir(folder);
  if (!list)
    errno = ENOMEM;
  return list;
}
