//===-- libc-shim/device/thread_state.c - errno and the like, per thread --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUs have no thread-local storage. A table with an entry per wave of the grid
// points to the wave's states, one per lane. They are allocated when a thread
// first needs one, and reused for another wave when the wave's last thread has
// returned from main. So memory is bounded by the number of waves that run at
// the same time. It comes from the host and not from the heap, because every
// program links errno and few link malloc.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_state.h"
#include "gpu/pass_runtime.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/device/shared.h"
#include <string.h>

typedef struct wave_state {
  uint32_t left;           ///< threads that have returned from main()
  struct wave_state *next; ///< in the list of unused states
  thread_state lanes[];
} wave_state;

typedef struct {
  uint32_t wave;    ///< number in the grid of this thread's wave
  uint32_t waves;   ///< number of waves in the grid
  uint32_t threads; ///< number of threads in this wave
} wave_place;

static SHARED wave_state **table;
// A grid of one wave needs no table; nor do constructors and destructors.
static SHARED wave_state *only_wave;

static wave_place find_place(void) {
  rpc_wave wave = rpc_this_wave();
  uint32_t lanes = __gpu_num_lanes();
  uint32_t left = wave.threads - wave.thread / lanes * lanes;
  wave_place place = {wave.number, wave.count, left < lanes ? left : lanes};
  return place;
}

#ifdef __NVPTX__
#define THREAD_ENDS static void thread_ends
#else
#define THREAD_ENDS void __gpuexec_thread_ends
#endif
THREAD_ENDS(void);

static void *load(void *slot) {
  return __scoped_atomic_load_n((void **)slot, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

static SHARED struct {
  uint32_t lock; // taken by one lane of a wave
  wave_state *unused;
  char *at, *end; // the unused rest of the newest region from the host
} memory;

/// The host is asked for at least this many bytes at once.
enum { LEAST_REGION = 2 << 20 };

/// Allocates `size` bytes that are never freed. The caller holds memory.lock.
/// Null when the host has no memory.
static void *cut(size_t size) {
  size = (size + 63) & -(size_t)64;
  if (size > (size_t)(memory.end - memory.at)) {
    const size_t region = size < LEAST_REGION ? LEAST_REGION : size;
    char *base = (char *)__host_call(RPC_MALLOC, region, 0, 0).words[0];
    if (!base)
      return NULL;
    memory.at = base;
    memory.end = base + region;
  }
  void *result = memory.at;
  memory.at += size;
  return result;
}

/// Returns the pointer in *slot: the table's, or with `is_state` that of a
/// wave's states. If it is null, one of the lanes that call together allocates
/// `size` zeroed bytes for it. Null when there is no memory.
static __attribute__((noinline)) void *load_or_make(void *slot, size_t size,
                                                    bool is_state) {
  void *there = load(slot);
  uint64_t mask = rpc_lanes_of((uint64_t)slot);
  if (!__gpu_ballot(mask, !there))
    return there;
  if (__gpu_is_first_in_lane(mask)) {
    lock_take(&memory.lock);
    if (!load(slot)) {
      wave_state *fresh = is_state ? memory.unused : NULL;
      if (fresh)
        memory.unused = fresh->next;
      else
        fresh = cut(size);
#ifdef __NVPTX__
      __gpuexec_thread_ends = thread_ends;
#endif
      if (fresh) {
        memset(fresh, 0, size);
        rpc_device_fence();
        __scoped_atomic_store_n((void **)slot, (void *)fresh, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
      }
    }
    lock_release(&memory.lock);
  }
  __gpu_sync_lane(mask);
  return load(slot);
}

// Threads for which there is no memory share this state. Their errno may be
// another thread's, but the program goes on.
static SHARED thread_state shared_state;

thread_state *__thread_state(void) {
  wave_place place = find_place();
  wave_state **slot = &only_wave;
  if (place.waves > 1) {
    wave_state **waves =
        load_or_make(&table, place.waves * sizeof *waves, false);
    if (!waves)
      return &shared_state;
    slot = &waves[place.wave];
  }
  wave_state *state = load_or_make(
      slot, sizeof *state + __gpu_num_lanes() * sizeof(thread_state), true);
  return state ? &state->lanes[__gpu_lane_id()] : &shared_state;
}

struct _reent *__getreent(void) { return &__thread_state()->reent; }
int *__errno(void) { return &__thread_state()->reent._errno; }

/// Frees the blocks that newlib allocated with malloc and keeps in `reent`.
static void empty(struct _reent *reent) {
  void *const blocks[] = {reent->_mp,          reent->_r48,
                          reent->_misc,        reent->_localtime_buf,
                          reent->_asctime_buf, reent->_signal_buf};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
    if (blocks[i])
      __heap_free_if_any(blocks[i]);
}

static void empty_state(thread_state *state) {
  empty(&state->reent);
  __heap_free_if_any(state->specific);
}

void __renew_thread_state(void) {
  const wave_place place = find_place();
  wave_state **waves = place.waves > 1 ? load(&table) : &only_wave;
  wave_state *state = waves ? load(&waves[place.wave]) : NULL;
  if (!state)
    return;
  thread_state *mine = &state->lanes[__gpu_lane_id()];
  empty_state(mine);
  memset(mine, 0, sizeof *mine);
}

THREAD_ENDS(void) {
  wave_place place = find_place();
  if (place.waves == 1)
    return;
  wave_state **waves = load(&table);
  wave_state *state = waves ? load(&waves[place.wave]) : NULL;
  if (!state)
    return;
  empty_state(&state->lanes[__gpu_lane_id()]);
  rpc_device_fence(); // release: this thread's accesses before it is counted
  uint32_t left = __scoped_atomic_fetch_add(&state->left, 1, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
  if (left + 1 == place.threads) {
    lock_take(&memory.lock); // acquire: the accesses of the others
    state->next = memory.unused;
    memory.unused = state;
    lock_release(&memory.lock);
  }
}
