//===-- libc-shim/openmp/reduce_arrays.c - Reductions of small arrays -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As in reduce_small.c, but the waves' partial results are in device memory.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/reduce_lanes.h"

__attribute__((constructor)) static void ask_for_memory(void) {
  __gpuexec_omp_parts.has_arrays = true;
}

/// Combines the variables in the lists of all threads of the team, at most
/// OMP_ARRAYS bytes. True in thread 0, whose variables have the result.
INLINED int32_t __gpuexec_omp_reduce_arrays(void **list, omp_shuffle *shuffle,
                                            omp_pack *pack, omp_unpack *unpack,
                                            omp_unpack *add) {
  const uint32_t waves = __gpuexec_omp_parts.wave_count;
  char *parts = __gpuexec_omp_parts.arrays;
  const omp_reduction how = {
      .shuffle = shuffle,
      .pack = pack,
      .unpack = unpack,
      .add = add,
      .size = OMP_ARRAYS,
      .wave_count = waves,
      .waves = parts + (uint64_t)this_place().block * 2 * waves * OMP_ARRAYS,
      .blocks = parts + (uint64_t)grid_blocks() * 2 * waves * OMP_ARRAYS};
  return reduce_lanes(list, &how);
}
