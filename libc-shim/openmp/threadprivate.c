//===-- libc-shim/openmp/threadprivate.c - A variable of each thread ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main()'s thread uses the variable itself. Each other thread gets a copy when
// it first accesses the variable. The copy's initial value is the value that
// the variable had when any thread first accessed it.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  void *initial;  ///< value
  void *copies[]; ///< of each thread of the grid
} thread_copies;

static void *duplicate(const void *value, uint64_t size) {
  return memcpy(__gpuexec_omp_allocate(size), value, size);
}

/// The table of the variable's copies. Takes no lock: of several threads that
/// make the table at once, all but one free theirs.
static thread_copies *find_copies(const void *variable, uint64_t size,
                                  thread_copies **cache) {
  thread_copies *copies =
      __scoped_atomic_load_n(cache, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  if (copies)
    return copies;
  const uint64_t count = (uint64_t)grid_blocks() * block_threads();
  thread_copies *fresh =
      __gpuexec_omp_allocate(sizeof *fresh + count * sizeof *fresh->copies);
  fresh->initial = duplicate(variable, size);
  rpc_device_fence();
  if (__scoped_atomic_compare_exchange_n(cache, &copies, fresh, false,
                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                         __MEMORY_SCOPE_DEVICE))
    return fresh;
  free(fresh->initial);
  free(fresh);
  return copies;
}

void *__kmpc_threadprivate_cached(source_place *place, int32_t thread,
                                  void *variable, uint64_t size,
                                  thread_copies **cache) {
  (void)place, (void)thread;
  // Constructors and exit handlers run in grids of their own.
  if (grid_blocks() * block_threads() == 1)
    return variable;
  thread_copies *copies = find_copies(variable, size, cache);
  const uint32_t number = hardware_number();
  if (!number)
    return variable;
  if (!copies->copies[number])
    copies->copies[number] = duplicate(copies->initial, size);
  return copies->copies[number];
}
