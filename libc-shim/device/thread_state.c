//===-- libc-shim/device/thread_state.c - errno and the like, per thread --===//
// There is no thread-local storage on a GPU. A table with an entry per wave of
// the grid points to that wave's states, one for each lane, made when a thread
// first needs one and kept for another wave when the last thread of the wave
// has left main. So memory is bounded by the waves that run at the same time,
// and a program that never touches errno has none of it. It does not come from
// the heap: every program has errno in it, few have malloc.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_state.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/if_linked.h"
#include <string.h>

typedef struct wave_state {
  uint32_t left;           ///< threads that have left main
  struct wave_state *next; ///< of those that no wave has
  thread_state lanes[];
} wave_state;

typedef struct {
  uint32_t wave;    ///< of this thread, counted over the grid
  uint32_t waves;   ///< of the grid
  uint32_t threads; ///< of this wave
} wave_place;

static wave_state **table;
// A program of one wave needs no table; constructors and destructors neither.
static wave_state *only_wave;

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

static struct {
  uint32_t lock; // taken by one lane of a wave
  wave_state *unused;
  char *at, *end; // what is left of the last region
} memory;

static void lock_memory(void) {
  while (__scoped_atomic_exchange_n(&memory.lock, 1, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE))
    __gpu_thread_suspend();
  rpc_device_fence(); // as for any lock, see heap.h
}
static void unlock_memory(void) {
  rpc_device_fence();
  __scoped_atomic_store_n(&memory.lock, 0, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

enum { LEAST_REGION = 2 << 20 };

/// Bytes for ever, under the lock; null when memory is out.
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

/// *slot, which is filled with `size` zeroed bytes if it was null: a wave's
/// states, or else the table. Of lanes that come together one does it.
static __attribute__((noinline)) void *load_or_make(void *slot, size_t size,
                                                    bool is_state) {
  void *there = load(slot);
  uint64_t mask = rpc_lanes_of((uint64_t)slot);
  if (!__gpu_ballot(mask, !there))
    return there;
  if (__gpu_is_first_in_lane(mask)) {
    lock_memory();
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
    unlock_memory();
  }
  __gpu_sync_lane(mask);
  return load(slot);
}

// Where no memory is left all threads share this one: errno can then be wrong,
// but the program lives.
static thread_state shared_state;

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

uint64_t __grid_threads(void) {
  return (uint64_t)__gpu_num_blocks_x() * __gpu_num_blocks_y() *
         __gpu_num_blocks_z() * __gpu_num_threads_x() * __gpu_num_threads_y() *
         __gpu_num_threads_z();
}

// What newlib keeps here it has from malloc.
static void empty(struct _reent *reent) {
  void *const blocks[] = {reent->_mp,          reent->_r48,
                          reent->_misc,        reent->_localtime_buf,
                          reent->_asctime_buf, reent->_signal_buf};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
    if (blocks[i])
      __heap_free_if_any(blocks[i]);
}

THREAD_ENDS(void) {
  wave_place place = find_place();
  if (place.waves == 1)
    return;
  wave_state **waves = load(&table);
  wave_state *state = waves ? load(&waves[place.wave]) : NULL;
  if (!state)
    return;
  empty(&state->lanes[__gpu_lane_id()].reent);
  rpc_device_fence(); // the last one comes after what the others did
  uint32_t left = __scoped_atomic_fetch_add(&state->left, 1, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
  if (left + 1 == place.threads) {
    lock_memory();
    state->next = memory.unused;
    memory.unused = state;
    unlock_memory();
  }
}
