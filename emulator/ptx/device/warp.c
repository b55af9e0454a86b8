//===-- emulator/ptx/device/warp.c - Lanes and blocks that agree ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves of 32 lanes. `members` are active lanes; its bits are equal in them.
//===----------------------------------------------------------------------===//
#include <stdint.h>

static inline uint32_t first_lane(uint32_t value) {
  return __builtin_amdgcn_readfirstlane(value);
}

/// The members that have this lane's value.
uint32_t __gpuexec_ptx_match_any(uint64_t value, uint32_t members) {
  uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
  for (;;) { // each round ends the lanes of one value
    uint32_t a = first_lane(low), b = first_lane(high);
    int equal = a == low && b == high;
    uint32_t lanes = __builtin_amdgcn_ballot_w32(equal) & members;
    if (equal)
      return lanes;
  }
}

/// The members if all have one value, else 0.
uint32_t __gpuexec_ptx_match_all(uint64_t value, uint32_t members) {
  uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
  int lane = __builtin_ctz(members | 0x80000000u);
  int differs = (uint32_t)__builtin_amdgcn_readlane(low, lane) != low ||
                (uint32_t)__builtin_amdgcn_readlane(high, lane) != high;
  return __builtin_amdgcn_ballot_w32(differs) & members ? 0 : members;
}

#define GPUEXEC_REDUX(NAME, TYPE, COMBINED)                                    \
  uint32_t __gpuexec_ptx_redux_##NAME(uint32_t value, uint32_t members) {      \
    members = first_lane(members);                                             \
    int lane = __builtin_ctz(members | 0x80000000u);                           \
    TYPE a = (TYPE)__builtin_amdgcn_readlane(value, lane);                     \
    for (members &= members - 1; members; members &= members - 1) {            \
      TYPE b = (TYPE)__builtin_amdgcn_readlane(value, __builtin_ctz(members)); \
      a = COMBINED;                                                            \
    }                                                                          \
    return (uint32_t)a;                                                        \
  }
GPUEXEC_REDUX(add, uint32_t, a + b)
GPUEXEC_REDUX(and, uint32_t, a &b)
GPUEXEC_REDUX(or, uint32_t, a | b)
GPUEXEC_REDUX(xor, uint32_t, a ^ b)
GPUEXEC_REDUX(min, int32_t, a < b ? a : b)
GPUEXEC_REDUX(max, int32_t, a > b ? a : b)
GPUEXEC_REDUX(umin, uint32_t, a < b ? a : b)
GPUEXEC_REDUX(umax, uint32_t, a > b ? a : b)
#undef GPUEXEC_REDUX

/// fns: the |offset|-th set bit of `mask` from bit `base` up, or down.
uint32_t __gpuexec_ptx_fns(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  uint32_t count = offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset;
  for (uint32_t at = base; at < 32; at += offset < 0 ? -1 : 1)
    if (mask >> at & 1 && --count == 0)
      return at;
  return ~0u;
}

static inline void barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

static inline uint32_t block_threads(void) {
  return (uint32_t)__builtin_amdgcn_workgroup_size_x() *
         __builtin_amdgcn_workgroup_size_y() *
         __builtin_amdgcn_workgroup_size_z();
}

/// In shared memory, which holds anything when a kernel begins.
#define GPUEXEC_SHARED                                                         \
  static __attribute__((address_space(3), loader_uninitialized))

/// The barriers of some threads: how many have come, and how often it opened.
GPUEXEC_SHARED struct { uint32_t arrived, opened; } barriers[16];

void __gpuexec_ptx_barriers_begin(void) {
  uint32_t lane = __builtin_amdgcn_mbcnt_lo(~0u, 0);
  barriers[lane % 16].arrived = 0;
  barriers[lane % 16].opened = 0;
  barrier();
}

/// One lane of a warp comes for all 32; the last of `threads` opens it.
static inline void arrive(uint32_t number, uint32_t threads) {
  uint32_t active = __builtin_amdgcn_ballot_w32(1);
  if (__builtin_amdgcn_mbcnt_lo(active, 0) != 0)
    return;
  uint32_t before = __scoped_atomic_fetch_add(
      &barriers[number].arrived, 32, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
  if (before + 32 < threads)
    return;
  __scoped_atomic_store_n(&barriers[number].arrived, 0, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_WRKGRP);
  __scoped_atomic_fetch_add(&barriers[number].opened, 1, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_WRKGRP);
}

/// bar.arrive NUMBER, THREADS
void __gpuexec_ptx_barrier_arrive(uint32_t number, uint32_t threads) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  arrive(number % 16, threads);
}

/// bar.sync NUMBER, THREADS
void __gpuexec_ptx_barrier_sync(uint32_t number, uint32_t threads) {
  number %= 16;
  uint32_t opened = __scoped_atomic_load_n(
      &barriers[number].opened, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  arrive(number, threads);
  // It cannot open again before this warp comes again.
  while (__scoped_atomic_load_n(&barriers[number].opened, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_WRKGRP) == opened)
    __builtin_amdgcn_s_sleep(1);
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// Waits for the block; the number of its threads whose `condition` is not 0.
uint32_t __gpuexec_ptx_barrier_count(uint32_t condition) {
  GPUEXEC_SHARED uint32_t counts[32];
  uint32_t thread = __builtin_amdgcn_workitem_id_x() +
                    __builtin_amdgcn_workgroup_size_x() *
                        (__builtin_amdgcn_workitem_id_y() +
                         __builtin_amdgcn_workgroup_size_y() *
                             __builtin_amdgcn_workitem_id_z());
  uint32_t warps = (block_threads() + 31) / 32;
  counts[thread / 32] =
      (uint32_t)__builtin_popcount(__builtin_amdgcn_ballot_w32(condition != 0));
  barrier();
  uint32_t sum = 0;
  for (uint32_t n = 0; n < warps; ++n)
    sum += counts[n];
  barrier(); // the counts are read before the next use
  return sum;
}
