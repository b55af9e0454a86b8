//===-- libc-shim/openmp/device_copies.c - Copies that are tasks ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The asynchronous copies. They copy before they return; with dependences, they
// first wait for all tasks that the caller has created.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/tasks.h"
#include <omp.h>

int32_t __kmpc_omp_taskwait(source_place *place, int32_t thread);

int omp_target_memcpy_async(void *to, const void *from, size_t size,
                            size_t to_offset, size_t from_offset, int to_device,
                            int from_device, int count,
                            omp_depend_t *dependences) {
  (void)dependences;
  if (count)
    __kmpc_omp_taskwait(NULL, 0);
  return omp_target_memcpy(to, from, size, to_offset, from_offset, to_device,
                           from_device);
}
int omp_target_memcpy_rect_async(
    void *to, const void *from, size_t element, int dimensions,
    const size_t *sizes, const size_t *to_offsets, const size_t *from_offsets,
    const size_t *to_sizes, const size_t *from_sizes, int to_device,
    int from_device, int count, omp_depend_t *dependences) {
  (void)dependences;
  if (count)
    __kmpc_omp_taskwait(NULL, 0);
  return omp_target_memcpy_rect(to, from, element, dimensions, sizes,
                                to_offsets, from_offsets, to_sizes, from_sizes,
                                to_device, from_device);
}
