//===-- libc-shim/openmp/locks.c - omp_set_lock and its family ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane of an AMD wave must not wait for a lock that another lane of its wave
// holds. Where omp_set_lock() and omp_unset_lock() are in one function, the
// pass serialise_locks makes the lanes take turns between them. Elsewhere such
// a program ends with a message.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include <omp.h>

/// The number that the calling thread stores in a lock it holds. 0 is free.
static unsigned own_mark(void) { return hardware_number() + 1; }

#ifdef __AMDGPU__
/// Number of the wave that the owner is in.
static uint32_t wave_of(unsigned mark) {
  const uint32_t place = mark == 1 ? 0 : mark - 1 + idle_lanes();
  const uint32_t lanes = __gpu_num_lanes(), threads = block_threads();
  return place / threads * ((threads + lanes - 1) / lanes) +
         place % threads / lanes;
}
#endif

static bool try_take(unsigned *word) {
  unsigned none = 0;
  if (!__scoped_atomic_compare_exchange_n(word, &none, own_mark(), false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                          __MEMORY_SCOPE_DEVICE))
    return false;
  rpc_device_fence();
  return true;
}

static void take(unsigned *word) {
  while (!try_take(word)) {
#ifdef __AMDGPU__
    const unsigned owner =
        __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (owner && wave_of(owner) == wave_of(own_mark()))
      __gpuexec_omp_fail("omp_set_lock: a thread waits for a thread of its own "
                         "wave, which cannot go on meanwhile (link with gpucc "
                         "--gpu-max-threads-per-block=1: a wave for each)");
#endif
    __gpu_thread_suspend();
  }
}

static void release(unsigned *word) {
  rpc_device_fence();
  __scoped_atomic_store_n(word, 0, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

void omp_init_lock(omp_lock_t *lock) { *lock = (omp_lock_t){0}; }
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_lock(lock);
}
void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
void omp_set_lock(omp_lock_t *lock) { take(&lock->__taken); }
void omp_unset_lock(omp_lock_t *lock) { release(&lock->__taken); }
int omp_test_lock(omp_lock_t *lock) { return try_take(&lock->__taken); }

void omp_init_nest_lock(omp_nest_lock_t *lock) {
  *lock = (omp_nest_lock_t){0, 0};
}
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_nest_lock(lock);
}
void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }

static bool owns(const omp_nest_lock_t *lock) {
  return __scoped_atomic_load_n(&lock->__owner, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) == own_mark();
}
void omp_set_nest_lock(omp_nest_lock_t *lock) {
  if (!owns(lock))
    take(&lock->__owner);
  ++lock->__count;
}
void omp_unset_nest_lock(omp_nest_lock_t *lock) {
  if (!--lock->__count)
    release(&lock->__owner);
}
int omp_test_nest_lock(omp_nest_lock_t *lock) {
  if (!owns(lock) && !try_take(&lock->__owner))
    return 0;
  return (int)++lock->__count;
}

//===-- For the pass serialise_locks --------------------------------------===//

/// The lanes that take turns: those that are active.
uint64_t __gpuexec_omp_turns(void) { return rpc_lane_mask(); }
/// Is it the calling lane's turn? That is the lowest lane of `left`, those that
/// have not had their turn.
int32_t __gpuexec_omp_my_turn(uint64_t left) {
  return __gpu_lane_id() == (uint32_t)__builtin_ctzll(left);
}
/// The lanes that are left after this turn.
uint64_t __gpuexec_omp_next_turn(uint64_t left) {
  __gpu_sync_lane(__gpu_lane_mask());
  return left & (left - 1);
}
