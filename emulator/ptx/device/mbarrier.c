//===-- emulator/ptx/device/mbarrier.c - Barriers that are objects --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier of PTX: a word of 64 bits in shared memory. Bits 0 to 19: arrivals
// that the phase waits for still; 20 to 39: those of a whole phase; above: how
// many phases are over. The word before an arrival is the arrival's state.
//===----------------------------------------------------------------------===//
#include <stdint.h>

typedef __attribute__((address_space(3))) uint64_t *shared_word;

#define GPUEXEC_COUNT ((uint64_t)0xfffff)

void __gpuexec_ptx_mbarrier_init(shared_word word, uint32_t count) {
  __scoped_atomic_store_n(word, (uint64_t)count << 20 | count, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_WRKGRP);
}

/// `count` threads arrive; `drop`: and never will again.
uint64_t __gpuexec_ptx_mbarrier_arrive(shared_word word, uint32_t count,
                                       uint32_t drop) {
  uint64_t before =
      __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  uint64_t after;
  do {
    uint64_t all = (before >> 20 & GPUEXEC_COUNT) - (drop ? count : 0);
    uint64_t left = (before & GPUEXEC_COUNT) - count;
    uint64_t phase = before >> 40;
    if (left == 0) {
      left = all;
      ++phase;
    }
    after = phase << 40 | (all & GPUEXEC_COUNT) << 20 | (left & GPUEXEC_COUNT);
  } while (!__scoped_atomic_compare_exchange_n(
      word, &before, after, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
      __MEMORY_SCOPE_WRKGRP));
  return before;
}

/// Whether the phase of `state` is over.
uint32_t __gpuexec_ptx_mbarrier_test(shared_word word, uint64_t state) {
  uint64_t now =
      __scoped_atomic_load_n(word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP);
  __builtin_amdgcn_s_sleep(1); // another warp's turn, where this is in a loop
  return now >> 40 != state >> 40;
}

/// Whether the phase whose number is odd as `parity` is over.
uint32_t __gpuexec_ptx_mbarrier_test_parity(shared_word word, uint32_t parity) {
  uint64_t now =
      __scoped_atomic_load_n(word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP);
  __builtin_amdgcn_s_sleep(1);
  return (now >> 40 & 1) != (parity & 1);
}
