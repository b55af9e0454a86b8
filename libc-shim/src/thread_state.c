//===-- libc-shim/src/thread_state.c - errno and the like, per thread -----===//
// There is no thread-local storage on a GPU. A table with an entry per wave of
// the grid points to that wave's states, one for each lane, made when a thread
// first needs one and freed when the last thread of the wave has left main. So
// memory is bounded by the waves that run at the same time, and a program that
// never touches errno has none of it.
//===----------------------------------------------------------------------===//
#include "thread_state.h"
#include "heap.h"
#include "process.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t left; ///< threads that have left main
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
  uint32_t size =
      __gpu_num_threads_x() * __gpu_num_threads_y() * __gpu_num_threads_z();
  uint32_t thread =
      __gpu_thread_id_x() +
      __gpu_num_threads_x() *
          (__gpu_thread_id_y() + __gpu_num_threads_y() * __gpu_thread_id_z());
  uint32_t block =
      __gpu_block_id_x() +
      __gpu_num_blocks_x() *
          (__gpu_block_id_y() + __gpu_num_blocks_y() * __gpu_block_id_z());
  uint32_t blocks =
      __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z();
  uint32_t lanes = __gpu_num_lanes();
  uint32_t per_block = (size + lanes - 1) / lanes;
  uint32_t first = thread / lanes * lanes;
  wave_place place = {block * per_block + thread / lanes, blocks * per_block,
                      size - first < lanes ? size - first : lanes};
  return place;
}

static void *load(void *slot) {
  return __scoped_atomic_load_n((void **)slot, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// *slot, which is filled with `size` zeroed bytes if it was null. Of lanes
/// that come together one does it; waves that lose the race give their bytes
/// back.
static __attribute__((noinline)) void *load_or_make(void *slot, size_t size) {
  void *there = load(slot);
  uint64_t mask = rpc_lane_mask();
  if (!__gpu_ballot(mask, !there))
    return there;
  if (__gpu_is_first_in_lane(mask)) {
    // Not calloc: where memory is out it would ask for errno, and so come here.
    void *fresh = __heap_allocate(16, size);
    if (fresh)
      memset(fresh, 0, size);
    if (fresh && !__scoped_atomic_compare_exchange_n(
                     (void **)slot, &there, fresh, 0, __ATOMIC_ACQ_REL,
                     __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
      free(fresh);
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
    wave_state **waves = load_or_make(&table, place.waves * sizeof *waves);
    if (!waves)
      return &shared_state;
    slot = &waves[place.wave];
  }
  wave_state *state = load_or_make(
      slot, sizeof *state + __gpu_num_lanes() * sizeof(thread_state));
  return state ? &state->lanes[__gpu_lane_id()] : &shared_state;
}

struct _reent *__getreent(void) { return &__thread_state()->reent; }
int *__errno(void) { return &__thread_state()->reent._errno; }

uint64_t __grid_threads(void) {
  return (uint64_t)__gpu_num_blocks_x() * __gpu_num_blocks_y() *
         __gpu_num_blocks_z() * __gpu_num_threads_x() * __gpu_num_threads_y() *
         __gpu_num_threads_z();
}

static void empty(struct _reent *reent) {
  free(reent->_mp);
  free(reent->_r48);
  free(reent->_misc);
  free(reent->_localtime_buf);
  free(reent->_asctime_buf);
  free(reent->_signal_buf);
}

void __gpuexec_thread_ends(void) {
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
  if (left + 1 == place.threads)
    free(state);
}
