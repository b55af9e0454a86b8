//===-- replay/player/plan.h - What a recording says about the launch -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpuexec has found out from the image when it recorded the run: here
// nobody reads images.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_PLAN_H
#define GPUEXEC_REPLAY_PLAYER_PLAN_H

#include "replay/core/recording.h"

/// Of the facts that this program needs (docs/recording.md).
enum { PLAN_VERSION = 1 };
enum { MOST_KERNELS = 32, MOST_HIDDEN = 32 };
#define HEAP_UNKNOWN UINT64_MAX

/// What a kernel is given as arguments.
enum kernel_role { ROLE_PLAIN, ROLE_BEGIN, ROLE_START, ROLE_END };

/// An implicit argument of an AMD kernel.
enum hidden_kind {
#define HIDDEN_ARGUMENT(NAME) HIDDEN_##NAME,
#include "gpu/amd_hidden_arguments.def"
  HIDDEN_unknown,
};
struct hidden_argument {
  enum hidden_kind kind;
  uint32_t offset, size;
};

struct kernel {
  enum kernel_role role;
  bool single;               ///< launched with one thread
  const char *symbol, *name; ///< `_start.kd`, `_start`
  uint32_t wave_size, arguments_size, kernarg_size, shared_size;
  bool dynamic_stack; ///< who launches it chooses the size
  struct hidden_argument hidden[MOST_HIDDEN];
  unsigned hidden_count;
};

struct grid {
  uint32_t threads[3], blocks[3];
};
uint64_t threads_of(const struct grid *grid);
uint64_t blocks_of(const struct grid *grid);

struct names {
  const char **all;
  size_t count;
};

struct plan {
  const char *program;
  bool is_amd, is_ptx;
  /// Processors, the one that is wanted first: `gfx90a`. NULL: not recorded.
  const char *processors[2];
  bool unknown_stack;
  uint64_t emulator_memory; ///< where its memory was; 0: anywhere
  uint64_t stack_size;      ///< 0: not chosen by a user
  uint64_t heap_size;       ///< bytes at most; 0: not chosen
  uint64_t recursion_size;  ///< of a thread, in the heap; 0: not chosen
  uint64_t heap_wanted;     ///< what the program will ask for, or HEAP_UNKNOWN
  struct kernel kernels[MOST_KERNELS]; ///< in the order of their launches
  unsigned kernel_count;
  struct grid grid;
  const char *client; ///< the symbol of the mailbox's client; NULL: none
  uint64_t client_size;
  bool version_19; ///< of the client, which is a pointer then
  uint64_t ports, lanes, bulk_threshold;
  bool one_status; ///< _end is given what main has returned (LLVM 21)
  struct names constructors, destructors; ///< objects that hold functions
};

/// Does the whole grid fit in a wave?
bool is_one_wave(const struct plan *plan);

/// Reads and checks all of it. fail() for a recording without.
void read_plan(struct plan *plan, const struct recording *recording);

/// Memory that the recorded run asked for while it ran, with some more.
uint64_t recorded_heap(const struct recording *recording);

/// The strings of a fact, which may be missing, behind `before` free places;
/// NULL behind the last.
struct names read_names(const struct recording *recording, const char *fact,
                        size_t before);

#endif // GPUEXEC_REPLAY_PLAYER_PLAN_H
