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

/// Opens the descriptors. Returns NULL, or the reason why memory cannot be
/// watched on this machine.
const char *pages_open(pages *);

/// A function that is called for each part of a range that was written since it
/// was last watched: entries with these pages are out of date.
typedef void pages_written(void *context, uintptr_t begin, uintptr_t end);

/// Begins to watch the pages of [address, address + size). The caller reads the
/// memory afterwards, so that a write in between is noted. Returns 0, or an
/// errno if the memory cannot be watched (it is shared, of a file, or
/// unmapped).
int pages_watch(pages *, const void *address, size_t size, pages_written *,
                void *context);

/// True if no page of the range was written, unmapped, replaced or discarded
/// since it was watched; false also if that is not certain.
int pages_unchanged(const pages *, const void *address, size_t size);

#endif
