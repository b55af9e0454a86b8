//===-- libc-shim/process/environment_change.c - setenv and its like ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A change copies the table and swaps the pointer, so that readers in other
// threads always see a complete table. The old table and its entries are not
// freed, because they may be in use. Of concurrent writers one succeeds at a
// time; the others retry.
//===----------------------------------------------------------------------===//
#include "libc-shim/process/environment.h"
#include <stdlib.h>

/// Replaces the entry of `name` by `entry`, or removes it when `entry` is null.
static int replace(const char *name, size_t length, char *entry) {
  for (;;) {
    char **old = __environment();
    size_t count = 0;
    while (old && old[count])
      ++count;
    char **fresh = malloc((count + 2) * sizeof *fresh);
    if (!fresh) {
      errno = ENOMEM;
      return -1;
    }
    size_t kept = 0;
    bool placed = false;
    for (size_t i = 0; i < count; ++i)
      if (!__environment_value(old[i], name, length))
        fresh[kept++] = old[i];
      else if (entry && !placed)
        fresh[kept++] = entry, placed = true;
    if (entry && !placed)
      fresh[kept++] = entry;
    fresh[kept] = NULL;
    if (__scoped_atomic_compare_exchange_n(&environ, &old, fresh, 0,
                                           __ATOMIC_RELEASE, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE))
      return 0;
    free(fresh);
  }
}

static int bad_name(const char *name) {
  if (name && *name && !strchr(name, '='))
    return 0;
  errno = EINVAL;
  return -1;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (bad_name(name))
    return -1;
  if (!overwrite && getenv(name))
    return 0;
  size_t length = strlen(name), size = strlen(value) + 1;
  char *entry = malloc(length + 1 + size);
  if (!entry) {
    errno = ENOMEM;
    return -1;
  }
  memcpy(entry, name, length);
  entry[length] = '=';
  memcpy(entry + length + 1, value, size);
  return replace(name, length, entry);
}

int unsetenv(const char *name) {
  if (bad_name(name))
    return -1;
  return getenv(name) ? replace(name, strlen(name), NULL) : 0;
}

/// `entry` itself becomes part of the environment.
int putenv(char *entry) {
  char *equals = strchr(entry, '=');
  if (!equals)
    return unsetenv(entry);
  return replace(entry, (size_t)(equals - entry), entry);
}

int clearenv(void) {
  static char *no_entries[] = {0};
  __scoped_atomic_store_n(&environ, no_entries, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  return 0;
}
