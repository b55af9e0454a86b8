//===-- libc-shim/openmp/critical.c - Critical regions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For a GPU, clang puts a critical region into a loop over the lanes of a wave.
// So only one lane of a wave at a time calls these functions.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/lock.h"
#include "libc-shim/openmp/team.h"

void __kmpc_critical(source_place *place, int32_t thread, uint32_t *name) {
  (void)place, (void)thread;
  lock_take(name);
}
void __kmpc_critical_with_hint(source_place *place, int32_t thread,
                               uint32_t *name, uint32_t hint) {
  (void)hint;
  __kmpc_critical(place, thread, name);
}
void __kmpc_end_critical(source_place *place, int32_t thread, uint32_t *name) {
  (void)place, (void)thread;
  lock_release(name);
}

uint64_t __kmpc_warp_active_thread_mask(void) { return rpc_lane_mask(); }
void __kmpc_syncwarp(uint64_t mask) { __gpu_sync_lane(mask); }
uint32_t __kmpc_get_hardware_thread_id_in_block(void) {
  return this_place().thread;
}
uint32_t __kmpc_get_hardware_num_threads_in_block(void) {
  return block_threads();
}
