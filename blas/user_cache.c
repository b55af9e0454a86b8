//===-- blas/user_cache.c - See user_cache.h ------------------------------===//
#include "blas/user_cache.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int cache_folder(char *name, size_t size) {
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (caches && *caches == '/')
    snprintf(name, size, "%s/gpuexec/blas", caches);
  else if (home && *home == '/')
    snprintf(name, size, "%s/.cache/gpuexec/blas", home);
  else
    return 0;
  return 1;
}

int user_cache_file(char *name, size_t size, const char *folder,
                    const char *key, const char *ending) {
  char buffer[USER_CACHE_PATH];
  name[0] = '\0';
  if (!folder && !cache_folder(buffer, sizeof buffer))
    return 0;
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (const char *at = key; *at; ++at)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  const int length =
      snprintf(name, size, "%s/%016llx.%s", folder ? folder : buffer,
               (unsigned long long)hash, ending);
  if ((size_t)length < size)
    return 1;
  name[0] = '\0';
  return 0;
}

int make_folders_of(const char *file) {
  char name[USER_CACHE_PATH];
  if ((size_t)snprintf(name, sizeof name, "%s", file) >= sizeof name)
    return ENAMETOOLONG;
  for (char *slash = strchr(name + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(name, 0700) != 0 && errno != EEXIST)
      return errno;
    *slash = '/';
  }
  return 0;
}
