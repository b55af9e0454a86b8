//===-- libc-shim/openmp/team.c - Parallel regions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of the grid wait in __gpuexec_serve_main(). One wave of each
// block polls a word for the next region; the block's other waves sleep in the
// hardware's barrier meanwhile. The word contains all that a block without
// threads in the team needs: the region's number, its size, whether its
// barriers poll and whether its threads are timed. Such a block never reads
// __gpuexec_omp_grid_team, which may belong to the next region already.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include "gpu/start_up.h"
#include "libc-shim/abi/shared_stack.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/openmp/regions.h"
#include "libc-shim/openmp/tasks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

omp_settings __gpuexec_omp_settings;

static const uint64_t END = ~0ull;

// The region that the grid executes: number << 32 | POLLS | TIMED | size. END
// when the program is over.
static struct { _Alignas(128) uint64_t word; } region;
enum { POLLS = 1u << 31, TIMED = 1 << 30 };
static uint32_t size_in(uint64_t word) {
  return (uint32_t)word & ~(POLLS | TIMED);
}
omp_team __gpuexec_omp_grid_team;
static omp_team outside = {.size = 1}; ///< of main(), outside all regions
static omp_thread first_thread = {.team = &outside};
static omp_thread *threads; ///< all of the grid; null before the first region
struct gpuexec_omp_parts __gpuexec_omp_parts;
static uint32_t clause_limit; ///< of the clause thread_limit; 0: none

#ifdef __NVPTX__
__attribute__((address_space(3), loader_uninitialized))
omp_block __gpuexec_omp_block;
#else
static omp_block first_block = {.size = 1, .special = OMP_NOT_PLAIN};
omp_block *__gpuexec_omp_blocks = &first_block;
#endif

void __gpuexec_omp_fail(const char *message) {
  fprintf(stderr, "gpuexec: OpenMP: %s\n", message);
  abort();
}

void *__gpuexec_omp_allocate(uint64_t size) {
  void *memory = calloc(1, size);
  if (!memory)
    __gpuexec_omp_fail("no memory");
  return memory;
}

uint32_t __gpuexec_omp_threads(void) {
  const uint64_t all = (uint64_t)grid_blocks() * block_threads() - idle_lanes();
  const uint32_t limit = __gpuexec_omp_settings.thread_limit;
  uint32_t most = all < TIMED ? (uint32_t)all : TIMED - 1;
  if (limit && limit < most)
    most = limit;
  return clause_limit && clause_limit < most ? clause_limit : most;
}

/// See gpuexec/openmp.h. Only main()'s thread outside parallel regions has teams
/// that a clause could limit.
int __gpuexec_omp_limit_threads(int limit) {
  const int before = (int)clause_limit;
  if (!hardware_number() && first_thread.team == &outside)
    clause_limit = limit > 0 ? (uint32_t)limit : 0;
  return before;
}

omp_thread *__gpuexec_omp_thread(uint32_t number) {
  return number ? &threads[number] : &first_thread;
}

/// Makes the calling thread a member of the region's team.
static void join_team(omp_thread *self, omp_team *team, uint32_t number) {
  self->team = team;
  self->number = number;
  self->singles = self->loops = self->reductions = 0;
  self->phases = (__typeof__(self->phases)){0};
  self->leads_only = self->loop.open = false;
  self->loop.shared = NULL;
  self->task = NULL;
  self->group = NULL;
  self->implicit = (omp_task_state){0};
}

omp_thread *__gpuexec_omp_self(void) {
  const uint32_t number = hardware_number();
  omp_thread *self = __gpuexec_omp_thread(number);
  if (number && self->region != THIS_BLOCK->region) {
    self->region = THIS_BLOCK->region;
    self->hardware_number = number;
    self->variables = __gpuexec_omp_grid_team.inherited;
    join_team(self, &__gpuexec_omp_grid_team, number);
  }
  return self;
}

__attribute__((noinline)) team_place __gpuexec_omp_find_place(void) {
  const omp_thread *self = __gpuexec_omp_self();
  return (team_place){self->number, self->team->size};
}

//===-- The blocks' other threads -----------------------------------------===//

/// Clears by words, because LLVM treats large structures byte by byte on
/// NVIDIA.
static void clear(omp_thread *thread) {
  for (uint32_t i = 0; i < sizeof *thread / sizeof(uint64_t); ++i)
    ((volatile uint64_t *)thread)[i] = 0;
}

/// Has the block its omp_block? The first region allocates them; a program may
/// end without a region.
static bool is_known(uint32_t block) {
#ifdef __NVPTX__
  return true;
#else
  return !block || __gpuexec_omp_blocks != &first_block;
#endif
}

/// Called by the block's first thread: stores the region in THIS_BLOCK for the
/// others.
static void enter_block(uint64_t word) {
  if (!is_known(this_place().block))
    return; // the program has ended
  THIS_BLOCK->word = word;
  if (word == END)
    return;
  THIS_BLOCK->run = __gpuexec_omp_grid_team.run;
  THIS_BLOCK->arguments = __gpuexec_omp_grid_team.arguments;
  THIS_BLOCK->region = (uint32_t)(word >> 32);
  const uint32_t size = size_in(word), blocks = team_blocks(size);
  const uint32_t block = this_place().block;
  THIS_BLOCK->size = size;
  THIS_BLOCK->blocks = blocks;
  THIS_BLOCK->add = blocks == 1 ? 0 : grid_addend(!block, blocks);
  THIS_BLOCK->phase = THIS_BLOCK->reductions = 0;
  for (uint32_t i = 0; i < OMP_WAVES; i += 8)
    *(uint64_t *)&THIS_BLOCK->turns[i] = 0;
  THIS_BLOCK->polls = word & POLLS;
  THIS_BLOCK->is_full = is_full_block(block, size);
  THIS_BLOCK->is_whole = THIS_BLOCK->is_full && !(idle_lanes() && !block) &&
                         block_threads() % __gpu_num_lanes() == 0;
  const bool is_plain = size > 1 && THIS_BLOCK->is_full && !THIS_BLOCK->polls;
  THIS_BLOCK->special = is_plain ? 0 : OMP_NOT_PLAIN;
}

/// Called by main()'s thread outside regions: its block is in no region.
static void leave_regions(void) {
  THIS_BLOCK->size = 1;
  THIS_BLOCK->special = OMP_NOT_PLAIN;
}

/// The end of a region in one block.
static void leave(uint32_t block) {
  block_meet();
  if (is_first_of_block())
    grid_arrive(&__gpuexec_omp_grid_team.join,
                grid_addend(!block, THIS_BLOCK->blocks));
}

static void run_member(uint32_t number) {
  THIS_BLOCK->run(0, number);
  if (THIS_BLOCK->polls)
    __gpuexec_tasks_finish(__gpuexec_omp_self());
}
__attribute__((noinline)) static void run_timed_member(uint32_t number) {
  const uint64_t time = __gpuexec_regions_enter();
  THIS_BLOCK->run(0, number);
  __gpuexec_regions_leave(time);
  if (THIS_BLOCK->polls)
    __gpuexec_tasks_finish(__gpuexec_omp_self());
}

// The number of lanes of a block that poll. On NVIDIA a whole wave does, with
// one access: a lane that polled alone would not reconverge with the others and
// would take turns with them from then on, also in regions. All lanes then
// write the same values to the block's memory.
#ifdef __NVPTX__
enum { POLLING_LANES = 32 };
#else
enum { POLLING_LANES = 1 };
#endif

/// Called by the lanes of main()'s wave, of which all but lane 0 are idle: they
/// could execute a region only in turns with main(), which would take twice as
/// long. On NVIDIA the idle lanes end here, because the hardware's barrier
/// waits for lanes; AMD's waits for waves.
static void end_idle_lane(uint32_t thread) {
#ifdef __NVPTX__
  if (thread)
    __asm__ volatile("exit;" ::: "memory");
#else
  (void)thread;
#endif
}

/// Executed by all threads of the grid before main(). Returns at once in
/// main()'s thread; the others execute regions until main() has returned.
MAIN_FUNCTION(void) __gpuexec_serve_main(void) {
  const grid_place place = this_place();
  if (!place.block && !place.thread)
    leave_regions();
  if (!place.block && place.thread <= idle_lanes()) {
    if (!place.thread)
      __gpuexec_omp_settings.timed = __gpuexec_regions_begin_main();
    end_idle_lane(place.thread);
    return; // main()'s thread and the idle lanes of its wave
  }
  const uint32_t number = hardware_number();
  const bool polls = place.block && place.thread < POLLING_LANES;
  uint32_t seen = 0;
  for (bool fresh = true;;) {
    if (polls)
      enter_block(wait_for_change(&region.word, seen));
    block_meet();
    const uint64_t word =
        is_known(place.block) ? *(volatile uint64_t *)&THIS_BLOCK->word : END;
    if (word == END)
      return;
    seen = (uint32_t)(word >> 32);
    const uint32_t size = size_in(word);
    if (members_of_block(place.block, size)) {
      if (number < size) {
        if (fresh)
          clear(&threads[number]);
        fresh = false;
        if (word & TIMED)
          run_timed_member(number);
        else
          run_member(number);
      }
      leave(place.block);
    } else {
      block_meet(); // all threads of the block have read the word
    }
  }
}

/// Starts a region of `size` threads in the other threads of the grid.
static void publish(uint32_t size, bool timed) {
  const bool polls =
      __gpuexec_omp_tasks.run || __gpuexec_omp_settings.cancellation;
  const uint64_t word = ((region.word >> 32) + 1) << 32 | (polls ? POLLS : 0) |
                        (timed ? TIMED : 0) | size;
#ifndef __NVPTX__
  if (__gpuexec_omp_blocks == &first_block && grid_blocks() > 1)
    __gpuexec_omp_blocks =
        __gpuexec_omp_allocate(grid_blocks() * sizeof *__gpuexec_omp_blocks);
#endif
  store_release_word(&region.word, word);
  enter_block(word);
  block_meet();
}

/// Makes the other threads of the grid leave the kernel.
static void end_team(void) {
  if (region.word == END)
    return;
  if (__gpuexec_omp_settings.timed)
    __gpuexec_regions_end_main();
  store_release_word(&region.word, END);
  enter_block(END);
  block_meet();
}
MAIN_FUNCTION(void) __gpuexec_end_main(int status) {
  (void)status;
  end_team();
}

/// For exit() outside all regions: without this the other threads would keep a
/// GPU running.
__attribute__((destructor)) static void end_workers(void) {
  if (!hardware_number() && first_thread.team == &outside)
    end_team();
}

//===-- Regions -----------------------------------------------------------===//

static void prepare_loops(omp_team *team) {
  for (uint32_t i = 0; i < OMP_LOOPS; ++i)
    team->loops[i] = (omp_loop){.sequence = i};
}

/// Allocates memory for all threads of the grid when the first region begins.
/// Each thread initialises its own part: one thread would take long for all.
static void prepare_grid(void) {
  const uint64_t count =
      (uint64_t)grid_blocks() * block_threads() - idle_lanes();
  threads = malloc(count * sizeof *threads);
  struct gpuexec_omp_parts *parts = &__gpuexec_omp_parts;
  const uint64_t blocks = grid_blocks();
  parts->wave_count =
      (block_threads() + __gpu_num_lanes() - 1) / __gpu_num_lanes();
  parts->blocks = malloc(2 * blocks * sizeof(omp_part));
  bool all = threads && parts->blocks;
#ifndef __NVPTX__
  parts->waves = malloc(2 * blocks * parts->wave_count * sizeof(omp_part));
  all &= parts->waves != NULL;
  if (parts->has_shared) {
    parts->shared = malloc(blocks * OMP_SHARED);
    all &= parts->shared != NULL;
  }
#endif
  if (parts->has_arrays) {
    parts->arrays = malloc(2 * blocks * (parts->wave_count + 1) * OMP_ARRAYS);
    all &= parts->arrays != NULL;
  }
  if (!all)
    __gpuexec_omp_fail("no memory for the threads of a team");
  prepare_loops(&__gpuexec_omp_grid_team);
}

/// The number of threads of a region. `condition`: of its if clause; `wanted`:
/// of its num_threads clause, not positive without one.
static uint32_t team_size(const omp_thread *self, uint32_t condition,
                          int32_t wanted) {
  if (!condition || self->team->active_level >= 1 ||
      !self->variables.max_active_levels || self != &first_thread)
    return 1;
  const uint32_t most = __gpuexec_omp_threads();
  uint32_t size = wanted > 0 ? (uint32_t)wanted
                  : self->variables.threads_wanted > 0
                      ? self->variables.threads_wanted
                      : most;
  return size < most ? size : most;
}

static void begin_team(omp_team *team, omp_thread *self, uint32_t size) {
  team->size = size;
  team->parent = self->team;
  team->parent_number = self->number;
  team->level = self->team->level + 1;
  team->active_level = self->team->active_level + (size > 1);
  team->inherited = self->variables;
  team->singles = team->reduced = team->cancelled = 0;
  team->blocks.word = team->waves.word = team->join.word = 0;
  team->sums.word = team->small_sums.word = team->small_reduced = 0;
  team->within.arrived = team->within.released = 0;
  team->at_end.arrived = team->at_end.released = 0;
  team->outstanding = 0;
}

/// A thread's context before a region, as words, because LLVM copies large
/// structures byte by byte on NVIDIA.
typedef struct {
  uint64_t context[OMP_CONTEXT];
} saved_context;

static void save(const omp_thread *self, saved_context *saved) {
#pragma unroll
  for (uint32_t i = 0; i < OMP_CONTEXT; ++i)
    saved->context[i] = self->context[i];
}
static void restore(omp_thread *self, const saved_context *saved) {
#pragma unroll
  for (uint32_t i = 0; i < OMP_CONTEXT; ++i)
    self->context[i] = saved->context[i];
}

/// Executes a region with a team of this thread alone.
static void run_alone(omp_thread *self, omp_function *run, void **arguments,
                      bool timed) {
  saved_context saved;
  save(self, &saved);
  omp_team team;
  memset(&team, 0, sizeof team);
  begin_team(&team, self, 1);
  prepare_loops(&team);
  team.arguments = arguments;
  join_team(self, &team, 0);
  __scoped_atomic_fetch_add(&THIS_BLOCK->special, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_WRKGRP);
  const uint64_t time = timed ? __gpuexec_regions_enter() : 0;
  run(0, 0);
  __gpuexec_tasks_finish(self);
  if (timed)
    __gpuexec_regions_leave(time);
  restore(self, &saved);
  __scoped_atomic_fetch_sub(&THIS_BLOCK->special, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_WRKGRP);
}

static void run_together(omp_thread *self, omp_function *run, void **arguments,
                         uint32_t size, bool timed) {
  saved_context saved;
  save(self, &saved);
  if (!threads)
    prepare_grid();
  omp_team *team = &__gpuexec_omp_grid_team;
  begin_team(team, self, size);
  team->run = run;
  team->arguments = arguments;
  join_team(self, team, 0);
  publish(size, timed);
  if (timed)
    run_timed_member(0);
  else
    run_member(0);
  leave(0);
  uint32_t phase = 0;
  grid_wait(&team->join, &phase);
  leave_regions();
  if (self->loops || THIS_BLOCK->polls)
    prepare_loops(team);
  restore(self, &saved);
}

void __kmpc_parallel_60(source_place *place, int32_t thread, int32_t condition,
                        int32_t wanted, int32_t bind, void *function,
                        omp_function *run, void **arguments, int64_t count,
                        int32_t strict) {
  (void)thread, (void)bind, (void)function, (void)count, (void)strict;
  if (!run)
    __gpuexec_omp_fail("a parallel region of a kind that is not implemented");
  __gpuexec_omp_read_environment();
  omp_thread *self = __gpuexec_omp_self();
  const uint32_t size = team_size(self, (uint32_t)condition, wanted);
  const bool timed = __gpuexec_omp_settings.timed && self->team == &outside;
  if (timed)
    __gpuexec_regions_begin(place, run, size);
  if (size > 1)
    run_together(self, run, arguments, size, timed);
  else
    run_alone(self, run, arguments, timed);
  if (timed)
    __gpuexec_regions_end();
}

void __kmpc_get_shared_variables(void ***arguments) {
  *arguments = is_in_grid_team() ? THIS_BLOCK->arguments
                                 : __gpuexec_omp_self()->team->arguments;
}

SHARES_LOCAL_VARIABLES;
HAS_THREADS_OF(openmp);

// The grid that the loader launches unless the user asks for another one
// (gpu/start_up.h): each lane is a thread, 256 in a block.
OWN_GRID const gpuexec_grid __gpuexec_grid = {GPUEXEC_GRID_OF_LANES, 256};

#ifdef __NVPTX__
__attribute__((constructor)) static void set_worker(void) {
  __gpuexec_main_functions =
      (struct gpuexec_main_functions){__gpuexec_serve_main, __gpuexec_end_main};
}
#endif
