//===-- libc-shim/process/environment.h - The table of NAME=value ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the functions that read the environment and those that change it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ENVIRONMENT_H
#define GPUEXEC_LIBC_ENVIRONMENT_H

#include "libc-shim/device/host_call.h"
#include "libc-shim/process/process.h"
#include <string.h>

/// The current table: null, or ended by a null pointer.
static inline char **__environment(void) {
  return __scoped_atomic_load_n(&environ, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// The value behind `name=` in `entry`, or null.
static inline char *__environment_value(char *entry, const char *name,
                                        size_t length) {
  if (strncmp(entry, name, length) || entry[length] != '=')
    return NULL;
  return entry + length + 1;
}

#endif
