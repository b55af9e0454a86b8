//===-- services/common/own_memory.h - Memory that the host cannot reach -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_COMMON_OWN_MEMORY_H
#define GPUEXEC_SERVICES_COMMON_OWN_MEMORY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Whether `address` is in memory of this thread (its stack) or of its block,
/// which the host cannot reach.
static inline bool is_own_memory(const void *address) {
#ifdef __NVPTX__
  return __nvvm_isspacep_local(address) || __nvvm_isspacep_shared(address);
#else
  typedef const __attribute__((address_space(0))) void *generic;
  return __builtin_amdgcn_is_private((generic)address) ||
         __builtin_amdgcn_is_shared((generic)address);
#endif
}

/// Copies such an array to the heap; the caller frees the copy. If there is no
/// memory, ends the program with a message that begins with `library`.
static inline void *copy_of_own(const void *array, size_t size,
                                const char *library) {
  void *copy = malloc(size);
  if (!copy) {
    fprintf(stderr, "%s: no memory for an array that is on the stack\n",
            library);
    abort();
  }
  return memcpy(copy, array, size);
}

#endif
