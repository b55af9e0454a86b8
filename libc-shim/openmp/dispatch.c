//===-- libc-shim/openmp/dispatch.c - Loops of other schedules ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose chunks a thread asks for one after the other: with the schedules
// dynamic, guided, runtime and auto, and with ordered regions. (loops.c has
// those of a static schedule.) Iterations are numbered from 0.
//
// In a loop with ordered regions an iteration waits for the one before. On AMD
// lanes of a wave cannot wait for each other, so the first lane of each wave
// executes all iterations of the wave.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/dispatch.h"
#include "libc-shim/openmp/schedules.h"
#include "libc-shim/openmp/team.h"
#include <omp.h>

/// The schedule of a loop with schedule(runtime): that of omp_set_schedule() or
/// OMP_SCHEDULE. Sets *chunk; 0: no chunk size was given.
static int32_t chosen_schedule(const omp_thread *self, uint64_t *chunk) {
  *chunk = (uint64_t)self->variables.schedule_chunk;
  switch ((unsigned)self->variables.schedule & ~(unsigned)omp_sched_monotonic) {
  case omp_sched_dynamic:
    return SCHEDULE_DYNAMIC;
  case omp_sched_guided:
    return SCHEDULE_GUIDED;
  case omp_sched_static:
    return *chunk ? SCHEDULE_STATIC_CHUNKED : SCHEDULE_STATIC;
  default:
    return SCHEDULE_STATIC;
  }
}

static void leave_loop(omp_thread *self) {
  omp_my_loop *mine = &self->loop;
  if (mine->open && mine->shared && leave_shared_loop(self, mine->shared))
    reuse_shared_loop(mine->shared);
  mine->open = false;
}

static void begin_loop(int32_t schedule, int64_t lower, uint64_t trips,
                       int64_t step, uint64_t chunk) {
  omp_thread *self = __gpuexec_omp_self();
  omp_my_loop *mine = &self->loop;
  leave_loop(self); // does something only after a loop that was cancelled
  schedule &= ~SCHEDULE_MODIFIERS;
  const bool ordered =
      schedule >= SCHEDULE_FIRST_ORDERED && schedule <= SCHEDULE_LAST_ORDERED;
  if (ordered)
    schedule -= SCHEDULE_ORDERED;
  if (schedule == SCHEDULE_RUNTIME || schedule == SCHEDULE_RUNTIME_SIMD)
    schedule = chosen_schedule(self, &chunk);
  if (schedule == SCHEDULE_AUTO)
    schedule = SCHEDULE_STATIC;
  *mine = (omp_my_loop){.lower = lower,
                        .step = step,
                        .trips = trips,
                        .chunk = chunk ? chunk : 1,
                        .schedule = schedule,
                        .leads_only = ordered || self->leads_only,
                        .open = true};
  const bool is_static = schedule == SCHEDULE_STATIC || is_chunked(schedule);
  mine->shared = is_static && !ordered ? NULL : next_shared_loop(self);
  mine->at = mine->leads_only && leads(self->team->size) ? leader_number(self)
                                                         : self->number;
}

/// Adds `chunk` to *next, with one atomic for all lanes that call this
/// together. Returns the value before this lane's addition.
static uint64_t take(const omp_thread *self, uint64_t *next, uint64_t chunk) {
  if (self->team->size == 1)
    return __scoped_atomic_fetch_add(next, chunk, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  const uint64_t mask = rpc_lanes_of((uint64_t)next);
  const uint64_t below = mask & ((1ull << __gpu_lane_id()) - 1);
  uint64_t begin = 0;
  if (__gpu_is_first_in_lane(mask))
    begin = __scoped_atomic_fetch_add(
        next, chunk * (uint64_t)__builtin_popcountll(mask), __ATOMIC_RELAXED,
        __MEMORY_SCOPE_DEVICE);
  begin = __gpu_read_first_lane_u64(mask, begin);
  return begin + chunk * (uint64_t)__builtin_popcountll(below);
}

/// Takes half of the thread's equal share of the remaining iterations, but at
/// least a chunk. False when none remain.
static bool take_guided(const omp_thread *self, omp_my_loop *mine,
                        uint64_t *begin, uint64_t *length) {
  uint64_t *next = &mine->shared->next;
  uint64_t at =
      __scoped_atomic_load_n(next, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  while (at < mine->trips) {
    const uint64_t left = mine->trips - at;
    uint64_t size = left / (2 * (uint64_t)self->team->size);
    size = size < mine->chunk ? mine->chunk : size;
    size = size < left ? size : left;
    if (__scoped_atomic_compare_exchange_n(next, &at, at + size, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE)) {
      *begin = at;
      *length = size;
      return true;
    }
  }
  return false;
}

/// Takes the thread's next iterations, [*begin, *begin + *length). False when
/// there are none.
static bool next_chunk(omp_thread *self, uint64_t *begin, uint64_t *length) {
  omp_my_loop *mine = &self->loop;
  const uint32_t size = self->team->size;
  if (mine->leads_only && !leads(size))
    return false;
  const uint64_t count = mine->leads_only ? leaders_of(size) : size;
  switch (mine->schedule) {
  case SCHEDULE_STATIC: {
    const uint64_t small = mine->trips / count, more = mine->trips % count;
    if (mine->at >= count)
      return false;
    *begin = mine->at * small + (mine->at < more ? mine->at : more);
    *length = small + (mine->at < more);
    mine->at = count;
    return *length;
  }
  case SCHEDULE_STATIC_CHUNKED:
  case SCHEDULE_BALANCED_CHUNKED:
    *begin = mine->at * mine->chunk;
    mine->at += count;
    break;
  case SCHEDULE_GUIDED:
  case SCHEDULE_GUIDED_SIMD:
    return take_guided(self, mine, begin, length);
  default:
    *begin = take(self, &mine->shared->next, mine->chunk);
    break;
  }
  if (*begin >= mine->trips)
    return false;
  const uint64_t left = mine->trips - *begin;
  *length = left < mine->chunk ? left : mine->chunk;
  return true;
}

static bool next_of_loop(int32_t *last, int64_t *lower, int64_t *upper,
                         int64_t *step) {
  omp_thread *self = __gpuexec_omp_self();
  omp_my_loop *mine = &self->loop;
  uint64_t begin, length;
  if (!next_chunk(self, &begin, &length)) {
    leave_loop(self);
    return false;
  }
  mine->ordered = begin;
  mine->bumped = false;
  const uint64_t at = (uint64_t)mine->lower + begin * (uint64_t)mine->step;
  *lower = (int64_t)at;
  *upper = (int64_t)(at + (length - 1) * (uint64_t)mine->step);
  *step = mine->step;
  if (last)
    *last = begin + length == mine->trips;
  return true;
}

static void wait_for_turn(const omp_my_loop *mine) {
  while (__scoped_atomic_load_n(&mine->shared->ordered, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE) != mine->ordered)
    __gpu_thread_suspend();
  rpc_device_fence();
}
static void pass_turn(omp_my_loop *mine) {
  rpc_device_fence();
  __scoped_atomic_store_n(&mine->shared->ordered, mine->ordered + 1,
                          __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  mine->bumped = true;
}

/// Called at the end of an iteration of a loop with ordered regions.
static void end_iteration(void) {
  omp_my_loop *mine = &__gpuexec_omp_self()->loop;
  if (!mine->shared)
    return;
  if (!mine->bumped) {
    wait_for_turn(mine);
    pass_turn(mine);
  }
  ++mine->ordered;
  mine->bumped = false;
}

void __kmpc_ordered(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  omp_my_loop *mine = &__gpuexec_omp_self()->loop;
  if (mine->shared)
    wait_for_turn(mine);
}
void __kmpc_end_ordered(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  omp_my_loop *mine = &__gpuexec_omp_self()->loop;
  if (mine->shared)
    pass_turn(mine);
}
void __kmpc_dispatch_deinit(source_place *place, int32_t thread) {
  (void)place, (void)thread;
  leave_loop(__gpuexec_omp_self());
}

// The functions that clang calls for an iteration variable of TYPE. Bounds are
// inclusive. SIGNED and UNSIGNED are the integers of the same width, for the
// step and for differences.
#define DISPATCH(SUFFIX, TYPE, SIGNED, UNSIGNED)                               \
  void __kmpc_dispatch_init_##SUFFIX(source_place *place, int32_t thread,      \
                                     int32_t schedule, TYPE lower, TYPE upper, \
                                     SIGNED step, SIGNED chunk) {              \
    (void)place, (void)thread;                                                 \
    uint64_t trips = 0;                                                        \
    if (step > 0 ? lower <= upper : lower >= upper)                            \
      trips = step > 0                                                         \
                  ? (uint64_t)((UNSIGNED)((UNSIGNED)upper - (UNSIGNED)lower) / \
                               (UNSIGNED)step) +                               \
                        1                                                      \
                  : (uint64_t)((UNSIGNED)((UNSIGNED)lower - (UNSIGNED)upper) / \
                                   (UNSIGNED) -                                \
                               (UNSIGNED)step) +                               \
                        1;                                                     \
    begin_loop(schedule, (int64_t)lower, trips, step,                          \
               chunk > 0 ? (uint64_t)chunk : 0);                               \
  }                                                                            \
  int32_t __kmpc_dispatch_next_##SUFFIX(source_place *place, int32_t thread,   \
                                        int32_t *last, TYPE *lower,            \
                                        TYPE *upper, SIGNED *step) {           \
    (void)place, (void)thread;                                                 \
    int64_t first, end, distance;                                              \
    if (!next_of_loop(last, &first, &end, &distance))                          \
      return 0;                                                                \
    *lower = (TYPE)first;                                                      \
    *upper = (TYPE)end;                                                        \
    if (step)                                                                  \
      *step = (SIGNED)distance;                                                \
    return 1;                                                                  \
  }                                                                            \
  void __kmpc_dispatch_fini_##SUFFIX(source_place *place, int32_t thread) {    \
    (void)place, (void)thread;                                                 \
    end_iteration();                                                           \
  }
DISPATCH(4, int32_t, int32_t, uint32_t)
DISPATCH(4u, uint32_t, int32_t, uint32_t)
DISPATCH(8, int64_t, int64_t, uint64_t)
DISPATCH(8u, uint64_t, int64_t, uint64_t)
