//===-- libc-shim/openmp/reduce_small.c - Reductions of a few variables ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/openmp/reduce_lanes.h"

INLINED int32_t __kmpc_get_warp_size(void) { return (int)__gpu_num_lanes(); }

/// Returns the `value` of the lane whose number is `distance` higher. Called by
/// clang's code.
INLINED int32_t __kmpc_shuffle_int32(int32_t value, int16_t distance,
                                     int16_t lanes) {
  (void)lanes;
#ifdef __NVPTX__
  return __nvvm_shfl_sync_down_i32((uint32_t)lanes_in_team(), value, distance,
                                   31);
#else
  return __builtin_amdgcn_ds_bpermute(
      (int)(__gpu_lane_id() + (uint32_t)distance) << 2, value);
#endif
}
INLINED int64_t __kmpc_shuffle_int64(int64_t value, int16_t distance,
                                     int16_t lanes) {
  const uint32_t low =
      (uint32_t)__kmpc_shuffle_int32((int32_t)value, distance, lanes);
  const int64_t high =
      __kmpc_shuffle_int32((int32_t)(value >> 32), distance, lanes);
  return high << 32 | low;
}

#ifdef __NVPTX__
static __attribute__((address_space(3), loader_uninitialized))
omp_part parts[2 * OMP_WAVES];
#define WAVES ((char *)parts)
#define WAVE_COUNT OMP_WAVES
#else
#define WAVE_COUNT __gpuexec_omp_parts.wave_count
#define WAVES                                                                  \
  (__gpuexec_omp_parts.waves +                                                 \
   this_place().block * 2 * WAVE_COUNT * sizeof(omp_part))
#endif

/// Combines the variables in the lists of all threads of the team, at most
/// OMP_PART bytes. True in thread 0, whose variables have the result.
INLINED int32_t __gpuexec_omp_reduce_small(void **list, omp_shuffle *shuffle,
                                           omp_pack *pack, omp_unpack *unpack,
                                           omp_unpack *add) {
  const omp_reduction how = {.shuffle = shuffle,
                             .pack = pack,
                             .unpack = unpack,
                             .add = add,
                             .size = sizeof(omp_part),
                             .wave_count = WAVE_COUNT,
                             .waves = WAVES,
                             .blocks = __gpuexec_omp_parts.blocks};
  return reduce_lanes(list, &how);
}
