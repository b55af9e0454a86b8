//===-- libc-shim/openmp/team.h - Threads of OpenMP and their teams -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP thread is a lane. main() runs in thread 0, lane 0 of block 0; the
// other threads of the grid wait in __gpuexec_serve_main() (team.c) for
// parallel regions. A region's team is the first `size` threads. The other
// lanes of main()'s wave are idle and no threads of OpenMP. On AMD they are
// masked off while lane 0 is inside main(), and can execute nothing else. On
// NVIDIA they could, but lanes that reach a region from different functions
// take turns in it.
//
// Threads are numbered along the grid, so that neighbouring lanes have
// neighbouring numbers. A region inside a region has a team of one thread.
//
// The lanes of an AMD wave run in lockstep: a lane that waits for another lane
// of its wave waits forever. Each file here says how it avoids that.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_TEAM_H
#define GPUEXEC_LIBC_TEAM_H

#include "gpu/pass_runtime.h"
#include "libc-shim/openmp/grid_barrier.h"
#include <stddef.h>

#define INLINED __attribute__((always_inline))

typedef struct omp_team omp_team;
typedef struct omp_thread omp_thread;
typedef struct omp_task omp_task;
typedef struct omp_group omp_group;

/// The function into which clang outlines a region.
typedef void omp_function(uint16_t level, uint32_t thread);

/// Internal control variables of the data environment.
typedef struct {
  uint32_t threads_wanted;
  int32_t schedule, schedule_chunk;
  uint32_t max_active_levels;
  bool dynamic;
} omp_variables;

/// The source position of a construct, as clang passes it. Only regions.c reads
/// it.
typedef struct source_place source_place;

/// The state that the threads of a team share of a loop (dispatch.c).
typedef struct {
  uint64_t sequence; ///< number, in the region, of the loop that it serves
  uint64_t next;     ///< first iteration that no thread has taken
  uint64_t ordered;  ///< iteration whose ordered region may run
  uint32_t left;     ///< number of threads that have finished the loop
  uint32_t *posted;  ///< doacross: a bit per iteration; OMP_BUSY: being made
} omp_loop;
/// With nowait, a thread may be this many loops ahead of another one.
enum { OMP_LOOPS = 8 };

struct omp_team {
  grid_barrier blocks;     ///< for all blocks of the team
  grid_barrier waves;      ///< for the waves of the one block that is not full
  grid_barrier join;       ///< for the blocks at the end of the region
  grid_barrier sums;       ///< for blocks that have their result (reduce.c)
  grid_barrier small_sums; ///< the same (reduce_lanes.h)

  omp_function *run;
  void **arguments;
  uint32_t size;
  uint32_t level, active_level;
  omp_team *parent;
  uint32_t parent_number;  ///< number in the parent of this team's thread 0
  omp_variables inherited; ///< initial variables of the team's threads

  uint32_t singles; ///< number of single regions that a thread has entered
  void *broadcast;  ///< copyprivate: the list of the source's variables
  uint32_t reduced; ///< number of complete reductions (reduce.c)
  uint32_t small_reduced; ///< the same (reduce_lanes.h)
  uint32_t cancelled;     ///< CANCEL_... of the cancelled construct; 0: none
  _Alignas(128) omp_loop loops[OMP_LOOPS];

  // Barriers whose threads execute tasks or look for cancellation
  // (polling_barrier.c). The region's end has its own, because in a cancelled
  // region some threads may reach it while others are still in a barrier
  // within.
  struct omp_counted_barrier {
    _Alignas(128) uint32_t arrived; ///< number of threads at the barrier
    uint32_t released;              ///< number of times that it was opened
  } within, at_end;
  uint32_t outstanding;   ///< number of tasks that are not complete
  uint32_t was_cancelled; ///< `cancelled` at the last barrier
};

/// A task's state of its children (tasks.h).
typedef struct {
  omp_task *children; ///< list; only the task's own thread accesses it
  uint32_t waiting;   ///< number of children that are not complete
  struct omp_dependences *dependences;
} omp_task_state;

/// A loop as one thread sees it (dispatch.c).
typedef struct {
  int64_t lower, step;
  uint64_t trips, chunk;
  uint64_t at;      ///< static schedules: the next chunk of this thread
  uint64_t ordered; ///< iteration that the thread executes
  omp_loop *shared; ///< null: static, and not ordered
  int32_t schedule; ///< without modifiers
  bool leads_only;  ///< one lane of a wave executes all its iterations
  bool open;        ///< the thread has not left the loop
  bool bumped;      ///< `shared->ordered` is past this iteration already
} omp_my_loop;

enum { OMP_CONTEXT = 26 };

/// A thread. Most regions need none of this, and to initialise it for each
/// thread of a grid takes longer than a region. So __gpuexec_omp_self()
/// initialises it when the thread first needs it in a region.
struct omp_thread {
  union {
    struct {
      omp_team *team;                      ///< innermost
      uint32_t number;                     ///< in the team
      uint32_t singles, loops, reductions; ///< numbers met in the region
      void **lists[2]; ///< lists of reduced variables (reduce.c)
      struct {
        uint32_t waves, sums; ///< phases of the team's barriers
      } phases;
      omp_my_loop loop;
      struct {
        uint32_t dimensions;
        const struct omp_dimension *bounds;
        omp_loop *loop;
      } doacross;
      omp_task *task;   ///< the task it executes; null: the implicit one
      omp_group *group; ///< that task's innermost taskgroup
      omp_task_state implicit;
      omp_variables variables;
      bool leads_only; ///< its doacross loop runs in one lane of a wave
    };
    uint64_t context[OMP_CONTEXT]; ///< all members of the struct above
  };
  uint32_t region; ///< number of the region for which this is initialised
  uint32_t hardware_number;

  struct {
    void *block;
    uint64_t size;
  } kept[2]; ///< buffers of reductions that outlive the construct (reduce.c)
};
_Static_assert(offsetof(omp_thread, region) == 8 * OMP_CONTEXT,
               "the context is what belongs to a region");

/// Settings of the whole program, from the environment and the loader.
typedef struct {
  uint32_t threads_wanted; ///< OMP_NUM_THREADS; 0: all
  uint32_t thread_limit;   ///< 0: none
  int32_t schedule, schedule_chunk;
  uint32_t max_active_levels;
  bool dynamic, cancellation, read;
  bool timed; ///< the loader wants the times of regions (regions.h)
} omp_settings;
extern omp_settings __gpuexec_omp_settings;

enum { OMP_WAVES = 32 }; ///< the most waves of a block

/// The combined variables of some threads, in a small reduction.
typedef struct {
  _Alignas(16) char bytes[OMP_PART];
} omp_part;

/// Memory for parts of reductions (reduce_lanes.h); `shared` is for
/// reduce_shared.c.
extern struct gpuexec_omp_parts {
  char *blocks;        ///< two parts of each block
  char *waves;         ///< two parts of each wave of each block, on AMD
  char *arrays;        ///< twice OMP_ARRAYS bytes of each wave and each block
  char *shared;        ///< OMP_SHARED bytes of each block, on AMD
  uint32_t wave_count; ///< number of waves of a block
  bool has_arrays;     ///< the program needs `arrays`
  bool has_shared;     ///< the program needs `shared`
} __gpuexec_omp_parts;

/// A block's copy of the facts about the region that the grid executes. On
/// NVIDIA it is in the block's shared memory, because an access to device
/// memory takes a good part of the time of a barrier.
typedef struct {
  uint64_t word;       ///< the region's (team.c)
  omp_function *run;   ///< of the team
  void **arguments;    ///< of the team
  uint32_t size;       ///< of the team; 1: no region
  uint32_t special;    ///< why its barriers are not plain: see below
  uint32_t add;        ///< its grid_addend() for team->blocks; 0: one block
  uint32_t phase;      ///< the phase of team->blocks
  uint32_t blocks;     ///< number of blocks that have threads of the team
  uint32_t region;     ///< the region's number
  bool polls;          ///< threads at barriers look for tasks or cancellation
  bool is_full;        ///< all threads of the block are in the team
  bool is_whole;       ///< and all its waves have all lanes
  uint32_t reductions; ///< number begun in the block (reduce_lanes.h)
  _Alignas(8) uint8_t turns[OMP_WAVES]; ///< reductions that each wave has begun
} omp_block;

/// omp_block.special. OMP_NESTED: mask of the number of the block's threads
/// that are in a nested region. OMP_NOT_PLAIN: there is no region, or threads
/// at barriers poll, or only some threads of the block are in the team.
enum { OMP_NESTED = (1u << 31) - 1, OMP_NOT_PLAIN = 1u << 31 };

#ifdef __NVPTX__
extern __attribute__((address_space(3))) omp_block __gpuexec_omp_block;
#define THIS_BLOCK (&__gpuexec_omp_block)
#else
extern omp_block *__gpuexec_omp_blocks; ///< all of the grid
#define THIS_BLOCK (&__gpuexec_omp_blocks[this_place().block])
#endif

/// The team of the grid's region.
extern omp_team __gpuexec_omp_grid_team;

/// The most threads that a team can have.
uint32_t __gpuexec_omp_threads(void);

/// The calling thread.
omp_thread *__gpuexec_omp_self(void);
/// Thread `number` of the grid; there must be a region or have been one.
omp_thread *__gpuexec_omp_thread(uint32_t number);

/// Waits for the team of the calling thread, executing tasks meanwhile.
void __gpuexec_omp_barrier(void);

/// Waits for the threads of the calling thread's team that are in its block.
void __gpuexec_omp_meet_block(omp_thread *self);

/// Waits for the threads of the grid's team that are in the calling thread's
/// block.
void __gpuexec_omp_meet_members(void);

/// Ends the program with a message.
__attribute__((noreturn)) void __gpuexec_omp_fail(const char *message);

/// calloc() that ends the program with a message when there is no memory.
void *__gpuexec_omp_allocate(uint64_t size);

/// Reads OMP_NUM_THREADS and the others once.
void __gpuexec_omp_read_environment(void);

//===-- Places in the grid ------------------------------------------------===//

/// The number of threads of a block.
static inline uint32_t block_threads(void) {
  return __gpu_num_threads_x() * __gpu_num_threads_y() * __gpu_num_threads_z();
}
static inline uint32_t grid_blocks(void) {
  return __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z();
}

/// The number of lanes of main()'s wave that are no threads of OpenMP.
static inline uint32_t idle_lanes(void) {
  const uint32_t lanes = __gpu_num_lanes(), threads = block_threads();
  return (threads < lanes ? threads : lanes) - 1;
}

/// The number of a block's first thread in the grid.
static inline uint32_t first_of_block(uint32_t block) {
  return block ? block * block_threads() - idle_lanes() : 0;
}

typedef struct {
  uint32_t thread, block; ///< in its block; in the grid
} grid_place;

static inline grid_place this_place(void) {
  grid_place place;
  place.thread =
      __gpu_thread_id_x() +
      __gpu_num_threads_x() *
          (__gpu_thread_id_y() + __gpu_num_threads_y() * __gpu_thread_id_z());
  place.block =
      __gpu_block_id_x() +
      __gpu_num_blocks_x() *
          (__gpu_block_id_y() + __gpu_num_blocks_y() * __gpu_block_id_z());
  return place;
}

/// The calling thread's number in the grid.
static inline uint32_t hardware_number(void) {
  const grid_place place = this_place();
  const uint32_t number = place.block * block_threads() + place.thread;
  return number ? number - idle_lanes() : 0;
}

/// The number of blocks that have threads of a team of `size`.
static inline uint32_t team_blocks(uint32_t size) {
  return (size + idle_lanes() + block_threads() - 1) / block_threads();
}

/// The number of the block's threads that are in a team of `size`.
static inline uint32_t members_of_block(uint32_t block, uint32_t size) {
  const uint32_t first = first_of_block(block), end = first_of_block(block + 1);
  return size <= first ? 0 : (size < end ? size : end) - first;
}
/// The number of the block's waves that have threads of a team of `size`.
static inline uint32_t waves_of_block(uint32_t block, uint32_t size) {
  const uint32_t members = members_of_block(block, size);
  const uint32_t last = members - 1 + (block ? 0 : idle_lanes());
  return members == 1 ? 1 : last / __gpu_num_lanes() + 1;
}
static inline bool is_full_block(uint32_t block, uint32_t size) {
  return size >= first_of_block(block + 1);
}

/// The mask of this wave's lanes that are in a team of `size`. They are the
/// wave's first lanes.
static inline uint64_t member_lanes(uint32_t size) {
  const grid_place place = this_place();
  const uint32_t lane = __gpu_lane_id(), lanes = __gpu_num_lanes();
  if (idle_lanes() && !place.block && place.thread < lanes)
    return 1;
  const uint32_t first = hardware_number() - lane;
  uint32_t in_wave = block_threads() - (place.thread - lane);
  if (in_wave > lanes)
    in_wave = lanes;
  if (size - first < in_wave)
    in_wave = size - first;
  return in_wave == 64 ? ~0ull : (1ull << in_wave) - 1;
}

/// Makes the lanes of this wave that are in the team reconverge. On AMD, ends
/// the program with a message if they have not.
static inline void expect_whole_wave(uint64_t members) {
#ifdef __NVPTX__
  __gpu_sync_lane(members);
#else
  if (__gpu_lane_mask() != members)
    __gpuexec_omp_fail("some lanes of a wave come to a barrier or reduction "
                       "without the others, which cannot come meanwhile");
#endif
}

/// The number of lanes that lead. On AMD, where a lane cannot wait for another
/// one of its wave, one lane leads the wave and acts for it. On NVIDIA each
/// lane leads itself.
static inline uint32_t leaders_of(uint32_t size) {
#ifdef __NVPTX__
  return size;
#else
  const uint32_t lanes = __gpu_num_lanes(), threads = block_threads();
  const uint32_t last = size == 1 ? 0 : size - 1 + idle_lanes();
  const uint32_t per_block = (threads + lanes - 1) / lanes;
  return last / threads * per_block + last % threads / lanes + 1;
#endif
}
static inline bool leads(uint32_t size) {
#ifdef __NVPTX__
  (void)size;
  return true;
#else
  return size == 1 || !__gpu_lane_id();
#endif
}
/// The number, among the lanes that lead, of a thread that leads.
static inline uint32_t leader_number(const omp_thread *self) {
#ifdef __NVPTX__
  return self->number;
#else
  return self->team->size == 1 ? 0 : rpc_this_wave().number;
#endif
}

static inline bool is_one_thread(void) {
  return (__gpu_num_blocks_x() | __gpu_num_blocks_y() | __gpu_num_blocks_z() |
          __gpu_num_threads_x() | __gpu_num_threads_y() |
          __gpu_num_threads_z()) == 1;
}
/// Is it the first thread of its block?
static inline bool is_first_of_block(void) {
  return !(__gpu_thread_id_x() | __gpu_thread_id_y() | __gpu_thread_id_z());
}

/// Is the calling thread in the grid's team, and no thread of its block in a
/// nested region? Then THIS_BLOCK has all it needs. Constructors and exit
/// handlers run in grids of one thread.
static inline bool is_in_grid_team(void) {
  return !is_one_thread() && THIS_BLOCK->size > 1 &&
         !(THIS_BLOCK->special & OMP_NESTED);
}

/// Is the calling thread's barrier a plain one: all threads of the block wait
/// in it and none looks for tasks? One word tells it, because each wave
/// executes this test before a barrier. Grids of one thread have no such word.
static inline bool has_plain_barrier(void) {
  return __gpu_num_threads_x() > 1 && !THIS_BLOCK->special;
}

/// The lanes of this wave that are in the grid's team.
static inline uint64_t lanes_in_team(void) {
#ifdef __NVPTX__
  if (THIS_BLOCK->is_whole)
    return ~0u;
#endif
  return member_lanes(THIS_BLOCK->size);
}

/// A thread's number in its team, and the team's size.
typedef struct {
  uint32_t number, size;
} team_place;

/// The calling thread's place, also in a nested region.
team_place __gpuexec_omp_find_place(void);

static inline __attribute__((always_inline)) team_place own_place(void) {
  return is_in_grid_team() ? (team_place){hardware_number(), THIS_BLOCK->size}
                           : __gpuexec_omp_find_place();
}
static inline uint32_t own_number(void) { return own_place().number; }
static inline uint32_t own_team_size(void) { return own_place().size; }

#endif
