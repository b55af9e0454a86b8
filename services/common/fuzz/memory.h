//===-- services/common/fuzz/memory.h - Memory with an end ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included before everything else in the sources that are fuzzed. A block ends
// where a page begins that nobody may write, and behind that one is a page that
// nobody may read.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_FUZZ_MEMORY_H
#define GPUEXEC_SERVICES_COMMON_FUZZ_MEMORY_H

#include <stdlib.h>
#include <unistd.h>

/// NULL for more than 4 MiB, or too many blocks.
void *fuzz_malloc(size_t size);
/// Does nothing for a block of fuzz_malloc(): fuzz_free_all() frees these when
/// a request has ended. Frees other memory, such as calloc()'s.
void fuzz_free(void *memory);
void fuzz_free_all(void);

/// A machine with little memory: 4096 pages of 4096 bytes.
static inline long fuzz_sysconf(int name) {
  (void)name;
  return 4096;
}

#define malloc fuzz_malloc
#define free fuzz_free
#define sysconf fuzz_sysconf

#endif
