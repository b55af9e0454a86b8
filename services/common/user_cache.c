//===-- services/common/user_cache.c - See user_cache.h ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/common/user_cache.h"
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

uint64_t user_cache_hash(uint64_t value, const void *bytes, size_t size) {
  for (const unsigned char *at = bytes, *end = at + size; at < end; ++at)
    value = (value ^ *at) * 1099511628211u;
  return value;
}

int user_cache_file(char *name, size_t size, const char *folder,
                    const char *key, const char *ending) {
  char buffer[USER_CACHE_PATH];
  name[0] = '\0';
  if (!folder && !cache_folder(buffer, sizeof buffer))
    return 0;
  const uint64_t hash = user_cache_hash(USER_CACHE_HASH, key, strlen(key));
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
