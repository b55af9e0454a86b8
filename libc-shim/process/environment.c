//===-- libc-shim/process/environment.c - getenv and the program's name ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader puts the environment into memory that the device can read. The
// functions that change it need the heap; they are in environment_change.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/process/environment.h"
#include "libc-shim/process/process.h"
#include <stdlib.h>

static char *no_entries[] = {0};
char **environ = no_entries;

static char no_name[] = "";
char *program_invocation_name = no_name;
char *program_invocation_short_name = no_name;

char *getenv(const char *name) {
  size_t length = strlen(name);
  char **entries = __environment();
  if (!entries)
    return NULL;
  for (; *entries; ++entries) {
    char *value = __environment_value(*entries, name, length);
    if (value)
      return value;
  }
  return NULL;
}
char *secure_getenv(const char *name) { return getenv(name); }
