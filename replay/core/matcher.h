//===-- replay/core/matcher.h - What the parts of the matcher share -*- C -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only for match*.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_MATCHER_H
#define GPUEXEC_REPLAY_CORE_MATCHER_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/blocks.h"
#include "replay/core/items.h"
#include "replay/core/match.h"

#define NO_UNIT SIZE_MAX

/// A unit of matching: a recorded call that the program must make; with several
/// waves one lane's part of it.
struct unit {
  size_t call;            ///< in the recording
  struct lane_call *lane; ///< NULL with one wave
  bool taken;
  size_t next_of_caller, next_of_request; ///< in their chains, or NO_UNIT
};

/// A list of the units whose caller, or request, has the same hash, in their
/// order.
struct chain {
  size_t first, last;
};

/// A lane that has made a recorded call of another lane, and is taken for it.
struct following {
  uint32_t caller; ///< the lane's wave; 0: a free element
  unsigned lane;
  size_t last; ///< the other lane's unit; NO_UNIT: it makes its own calls again
};

struct numbered {
  uint64_t number;
  size_t unit;
};

struct matcher {
  const struct recording *recording;
  bool in_order, one_caller, is_scheduled;
  bool ends_by_call, may_wait;
  struct unit *units;
  size_t unit_count, unit_room;
  size_t next; ///< all units before it are taken
  size_t next_output;
  struct blocks blocks;
  struct buffer answer, difference; ///< of the last match
  // Of several waves:
  size_t chain_mask, following_mask;
  struct chain *by_caller, *by_request;
  struct following *following; ///< a hash table with open addressing
  struct printed then_printed, now_printed;
  // Of a schedule:
  struct numbered *by_number; ///< units, sorted
};

static inline const struct recorded_call *call_at(const struct matcher *m,
                                                  size_t unit) {
  return &m->recording->calls[m->units[unit].call];
}

void add_unit(struct matcher *matcher, size_t call, struct lane_call *lane);
void take_unit(struct matcher *matcher, size_t unit);

/// Whether the calls are the same; addresses may differ as the blocks do.
bool is_same_call(const struct matcher *matcher,
                  const struct recorded_call *then,
                  const struct recorded_call *now);
/// The unit's part of its recorded call.
struct recorded_call call_of_unit(const struct matcher *matcher, size_t unit);
/// MATCH_DIFFERS for a call that should be this unit; with NO_UNIT
/// MATCH_BEYOND.
struct match mismatch(struct matcher *matcher, size_t unit,
                      const struct recorded_call *call);

// match_lanes.c: calls of several waves.
void add_lanes(struct matcher *matcher, size_t call);
void make_chains(struct matcher *matcher);
struct match match_lanes(struct matcher *matcher,
                         const struct recorded_call *call, bool is_last);

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_MATCHER_H
