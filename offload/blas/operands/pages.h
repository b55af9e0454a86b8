//===-- offload/blas/operands/pages.h - Has memory been written? -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells whether the program has written a range of its memory since a moment:
// userfaultfd's write protection in asynchronous mode (Linux 6.7). The kernel
// resolves each write itself and notes it in the page table. No signal handler
// and no thread takes part, and system calls that write the memory are noted
// like other writes. docs/blas.md says why each way to change memory is seen.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_OPERANDS_PAGES_H
#define GPUEXEC_OFFLOAD_BLAS_OPERANDS_PAGES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int userfault; ///< descriptors; -1: memory cannot be watched
  int pagemap;
} pages;

/// NULL, or why memory cannot be watched on this machine.
const char *pages_open(pages *);

/// Called for each part of a watched range that had been written since it was
/// last watched: what was known of these pages is out of date.
typedef void pages_written(void *context, uintptr_t begin, uintptr_t end);

/// From now on the pages of [address, address + size) are watched. The caller
/// reads the memory afterwards: a write that comes between is noted. 0, or
/// errno: the memory cannot be watched (it is shared, of a file, or gone).
int pages_watch(pages *, const void *address, size_t size, pages_written *,
                void *context);

/// True if no page of the range was written, unmapped, replaced or discarded
/// since it was watched. In doubt false.
int pages_unchanged(const pages *, const void *address, size_t size);

#endif
