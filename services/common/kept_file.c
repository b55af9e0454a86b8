//===-- services/common/kept_file.c - See kept_file.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/common/kept_file.h"
#include "support/own_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

uint64_t kept_hash(uint64_t value, const void *bytes, size_t size) {
  for (const unsigned char *at = bytes, *end = at + size; at < end; ++at)
    value = (value ^ *at) * 1099511628211u;
  return value;
}

kept_files find_kept_files(const char *folder, const char *key) {
  kept_files kept = {0};
  if (!folder)
    gpuexec_cache_path("blas", kept.folder, sizeof kept.folder);
  else if (strcmp(folder, "off") != 0 && strlen(folder) < sizeof kept.folder)
    strcpy(kept.folder, folder);
  snprintf(kept.name, sizeof kept.name, "%016llx",
           (unsigned long long)kept_hash(KEPT_HASH, key, strlen(key)));
  return kept;
}

static int open_folder(const kept_files *kept) {
  char reason[GPUEXEC_REASON];
  return *kept->folder ? gpuexec_open_own_folder(kept->folder, reason) : -1;
}

int open_kept_file(const kept_files *kept, const char *ending, int flags) {
  char name[64], reason[GPUEXEC_REASON];
  const int folder = open_folder(kept);
  if (folder < 0)
    return -1;
  snprintf(name, sizeof name, "%s.%s", kept->name, ending);
  const int file = gpuexec_open_own_file(folder, name, flags, reason);
  close(folder);
  return file;
}

int replace_kept_file(const kept_files *kept, const char *ending,
                      void (*write)(FILE *, const void *),
                      const void *context) {
  char name[64], other[96], reason[GPUEXEC_REASON];
  const int folder = open_folder(kept);
  if (folder < 0)
    return ENOENT;
  snprintf(name, sizeof name, "%s.%s", kept->name, ending);
  snprintf(other, sizeof other, "%s.%d", name, (int)getpid());
  const int file =
      gpuexec_open_own_file(folder, other, O_WRONLY | O_CREAT | O_EXCL, reason);
  FILE *out = file < 0 ? NULL : fdopen(file, "w");
  int error = out ? 0 : errno;
  if (out) {
    write(out, context);
    const int failed = ferror(out);
    if (fclose(out) != 0 || failed ||
        renameat(folder, other, folder, name) != 0) {
      error = errno;
      unlinkat(folder, other, 0);
    }
  }
  close(folder);
  return error;
}
