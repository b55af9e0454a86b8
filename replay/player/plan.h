//===-- replay/player/plan.h - A recording's facts about the launch -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that gpuexec read from the image when it recorded the run;
// gpu-replay does not read images.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_PLAN_H
#define GPUEXEC_REPLAY_PLAYER_PLAN_H

#include "replay/core/recording.h"

/// Version of the facts that gpu-replay needs (docs/recording.md).
enum { PLAN_VERSION = 1 };
enum { MOST_KERNELS = 32, MOST_HIDDEN = 32 };
#define HEAP_UNKNOWN UINT64_MAX

/// Which arguments a kernel gets.
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
  bool dynamic_stack; ///< the stack's size is chosen at launch
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
  /// Processors such as `gfx90a`, the preferred one first. NULL: not recorded.
  const char *processors[2];
  bool unknown_stack;
  uint64_t emulator_memory; ///< address of its memory; 0: any
  uint64_t stack_size;      ///< 0: not chosen by a user
  uint64_t heap_size;       ///< bytes at most; 0: not chosen
  uint64_t recursion_size;  ///< of a thread, in the heap; 0: not chosen
  uint64_t heap_wanted;     ///< bytes that it will request, or HEAP_UNKNOWN
  struct kernel kernels[MOST_KERNELS]; ///< in the order of their launches
  unsigned kernel_count;
  struct grid grid;
  const char *client; ///< the symbol of the mailbox's client; NULL: none
  uint64_t client_size;
  bool version_19; ///< `client` is LLVM 19's, a pointer to the client object
  uint64_t ports, lanes, bulk_threshold;
  bool one_status; ///< _end takes main's result as an argument (LLVM 21)
  struct names constructors, destructors; ///< objects that hold functions
};

/// Whether the whole grid fits into one wave.
bool is_one_wave(const struct plan *plan);

/// Reads and checks the plan. fail() if the recording lacks a fact.
void read_plan(struct plan *plan, const struct recording *recording);

/// Bytes of memory that the recorded run requested, with a reserve.
uint64_t recorded_heap(const struct recording *recording);

/// The strings of a fact, or none if the recording lacks it. The list begins
/// with `before` free elements and ends with NULL.
struct names read_names(const struct recording *recording, const char *fact,
                        size_t before);

#endif // GPUEXEC_REPLAY_PLAYER_PLAN_H
