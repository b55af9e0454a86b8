//===-- libc-shim/openmp/team.c - Parallel regions ------------------------===//
// The threads of the grid wait in __gpuexec_serve_main(). One lane of each
// block polls a word for the next region; the block's other waves sleep in the
// hardware's barrier meanwhile. The word has the region's number and its size,
// so that a block without members never looks at the region itself: the next
// one may have begun by then.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include "gpu/start_up.h"
#include "libc-shim/abi/shared_stack.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/openmp/tasks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

omp_settings __gpuexec_omp_settings;

static const uint64_t END = ~0ull;

// The region that the grid executes: its number << 32 | its size; END.
static struct { _Alignas(128) uint64_t word; } region;
static omp_team grid_team;
static omp_team outside = {
    .size = 1, .block_count = 1}; ///< team of main(), outside all regions
static omp_thread first_thread = {
    .team = &outside, .size = 1, .block_count = 1};
static omp_thread *threads; ///< of the grid; null before the first region
static uint32_t main_turn;  ///< the blocks' turn in block 0

#ifdef __NVPTX__
static __attribute__((address_space(3), loader_uninitialized))
uint64_t block_words[2];
#define BLOCK_WORD(turn) block_words[turn]
#else
static uint64_t (*block_words)[2]; ///< of each block
static uint64_t one_block_words[1][2];
#define BLOCK_WORD(turn) block_words[this_place().block][turn]
#endif

void __gpuexec_omp_fail(const char *message) {
  fprintf(stderr, "OpenMP: %s\n", message);
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
  const uint32_t most = all > INT32_MAX ? INT32_MAX : (uint32_t)all;
  return limit && limit < most ? limit : most;
}

omp_thread *__gpuexec_omp_thread(uint32_t number) {
  return number ? &threads[number] : &first_thread;
}

omp_thread *__gpuexec_omp_self(void) {
  return __gpuexec_omp_thread(hardware_number());
}

//===-- The blocks' other threads -----------------------------------------===//

static uint64_t load_word(void) {
  return __scoped_atomic_load_n(&region.word, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
}

/// Makes the calling thread a member of the region's team.
static void join_team(omp_thread *self, omp_team *team, uint32_t number) {
  self->team = team;
  self->number = number;
  self->singles = self->loops = self->reductions = 0;
  self->size = team->size;
  self->block_count = team->block_count;
  self->phases = (__typeof__(self->phases)){0};
  self->leads_only = self->loop.open = false;
  self->loop.shared = NULL;
  self->task = NULL;
  self->group = NULL;
  self->implicit = (omp_task_state){0};
}

/// Executes the region in a thread that is not main()'s. `fresh`: its first.
static void run_member(uint32_t number, bool fresh) {
  omp_thread *self = &threads[number];
  if (fresh)
    *self = (omp_thread){0};
  const omp_thread *first = &first_thread;
  self->hardware_number = number;
  self->threads_wanted = first->threads_wanted;
  self->schedule = first->schedule;
  self->schedule_chunk = first->schedule_chunk;
  self->max_active_levels = first->max_active_levels;
  self->dynamic = first->dynamic;
  join_team(self, &grid_team, number);
  grid_team.run(0, number);
  __gpuexec_tasks_finish(self);
}

/// The end of a region in one block.
static void leave(uint32_t block, uint32_t block_count) {
  block_meet();
  if (first_of_block(block) == hardware_number())
    grid_arrive(&grid_team.join, !block, block_count);
}

/// What all threads of the grid but main()'s do, until main() has returned.
MAIN_FUNCTION(void) __gpuexec_serve_main(void) {
  const grid_place place = this_place();
  if (!place.block && place.thread <= idle_lanes())
    return; // lanes that main() masks off
  const uint32_t number = hardware_number();
  const bool polls = place.block && !place.thread;
  uint32_t seen = 0;
  bool fresh = true;
  for (uint32_t turn = 0;; turn ^= 1) {
    if (polls)
      BLOCK_WORD(turn) = wait_for_change(&region.word, seen);
    block_meet();
    const uint64_t word = *(volatile uint64_t *)&BLOCK_WORD(turn);
    if (word == END)
      return;
    seen = (uint32_t)(word >> 32);
    const uint32_t size = (uint32_t)word;
    if (members_of_block(place.block, size)) {
      if (number < size) {
        run_member(number, fresh);
        fresh = false;
      }
      leave(place.block, grid_team.block_count);
    }
  }
}

/// Tells the workers about a region, or that there is none any more.
static void publish(uint64_t word) {
  if (word != END)
    word |= ((load_word() >> 32) + 1) << 32;
#ifndef __NVPTX__
  if (!block_words)
    block_words =
        grid_blocks() > 1
            ? __gpuexec_omp_allocate(grid_blocks() * sizeof *block_words)
            : one_block_words;
#endif
  BLOCK_WORD(main_turn) = word;
  main_turn ^= 1;
  store_release_word(&region.word, word);
  block_meet();
}

static void end_team(void) {
  if (load_word() != END)
    publish(END);
}
MAIN_FUNCTION(void) __gpuexec_end_main(int status) {
  (void)status;
  end_team();
}

/// exit() outside all regions ends the workers too; a GPU would run on.
__attribute__((destructor)) static void end_workers(void) {
  if (!hardware_number() && first_thread.team == &outside)
    end_team();
}

//===-- Regions -----------------------------------------------------------===//

/// Memory for all threads of the grid, when the first region begins. Each
/// thread initialises its own: one alone would take long.
static void prepare_grid(void) {
  const uint64_t count =
      (uint64_t)grid_blocks() * block_threads() - idle_lanes();
  threads = malloc(count * sizeof *threads);
  if (!threads)
    __gpuexec_omp_fail("no memory for the threads of a team");
}

/// How many threads a region gets that asks for `wanted`, or for none.
static uint32_t team_size(const omp_thread *self, uint32_t condition,
                          int32_t wanted) {
  if (!condition || self->team->active_level >= 1 || !self->max_active_levels ||
      self != &first_thread)
    return 1;
  const uint32_t most = __gpuexec_omp_threads();
  uint32_t size = wanted > 0                 ? (uint32_t)wanted
                  : self->threads_wanted > 0 ? self->threads_wanted
                                             : most;
  return size < most ? size : most;
}

static void begin_team(omp_team *team, omp_thread *self, uint32_t size) {
  team->size = size;
  team->block_count = size > 1 ? team_blocks(size) : 1;
  team->parent = self->team;
  team->parent_number = self->number;
  team->level = self->team->level + 1;
  team->active_level = self->team->active_level + (size > 1);
  team->singles = team->reduced = team->cancelled = 0;
  team->blocks.word = team->waves.word = team->join.word = 0;
  team->sums.word = 0;
  team->within = team->at_end = (struct omp_counted_barrier){0};
  team->outstanding = 0;
  for (uint32_t i = 0; i < OMP_LOOPS; ++i)
    team->loops[i] = (omp_loop){.sequence = i};
}

/// Makes the thread what it was before the region, but for its buffers.
static void restore(omp_thread *self, const omp_thread *saved) {
  const omp_thread now = *self;
  *self = *saved;
  memcpy(self->kept, now.kept, sizeof now.kept);
}

/// A region with a team of this thread alone.
static void run_alone(omp_thread *self, void (*run)(uint16_t, uint32_t),
                      void **arguments) {
  const omp_thread saved = *self;
  omp_team team = {0};
  begin_team(&team, self, 1);
  team.arguments = arguments;
  join_team(self, &team, 0);
  run(0, 0);
  __gpuexec_tasks_finish(self);
  restore(self, &saved);
}

static void run_together(omp_thread *self, void (*run)(uint16_t, uint32_t),
                         void **arguments, uint32_t size) {
  const omp_thread saved = *self;
  if (!threads)
    prepare_grid();
  begin_team(&grid_team, self, size);
  grid_team.run = run;
  grid_team.arguments = arguments;
  join_team(self, &grid_team, 0);
  publish(size);
  run(0, 0);
  __gpuexec_tasks_finish(self);
  leave(0, grid_team.block_count);
  uint32_t phase = 0;
  grid_wait(&grid_team.join, &phase);
  restore(self, &saved);
}

void __kmpc_parallel_60(source_place *place, int32_t thread, int32_t condition,
                        int32_t wanted, int32_t bind, void *function,
                        void (*run)(uint16_t, uint32_t), void **arguments,
                        int64_t count, int32_t strict) {
  (void)place, (void)thread, (void)bind, (void)function, (void)count;
  (void)strict;
  if (!run)
    __gpuexec_omp_fail("a parallel region of a kind that is not implemented");
  __gpuexec_omp_read_environment();
  omp_thread *self = __gpuexec_omp_self();
  const uint32_t size = team_size(self, (uint32_t)condition, wanted);
  if (size > 1)
    run_together(self, run, arguments, size);
  else
    run_alone(self, run, arguments);
}

void __kmpc_get_shared_variables(void ***arguments) {
  *arguments = __gpuexec_omp_self()->team->arguments;
}

SHARES_LOCAL_VARIABLES;
HAS_THREADS_OF(openmp);

// What the loader launches unless the user says otherwise (gpu/start_up.h):
// lanes work, 256 in a block.
OWN_GRID const gpuexec_grid __gpuexec_grid = {GPUEXEC_GRID_OF_LANES, 256};

#ifdef __NVPTX__
__attribute__((constructor)) static void set_worker(void) {
  __gpuexec_main_functions =
      (struct gpuexec_main_functions){__gpuexec_serve_main, __gpuexec_end_main};
}
#endif
