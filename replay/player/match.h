//===-- replay/player/match.h - Answers from a recording ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run of one wave must make the same calls in the same order. With more waves
// an answer belongs to its caller: the same lane of the same wave, after as
// many calls; where that does not fit, any lane's call with the same request
// will do (docs/recording.md, as gpuexec --replay). What differs ends the
// process with a message.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_MATCH_H
#define GPUEXEC_REPLAY_PLAYER_MATCH_H

#include "replay/player/recording.h"

struct matcher;
/// The recording must stay as it is. `one_wave`: the program has no more.
struct matcher *make_matcher(const struct recording *recording, bool one_wave);

/// How a program ends, in the words of recordings.
struct end {
  const char *kind; ///< "exited", "signalled", "faulted"
  int64_t value;
};

/// FOUND_MEMORY: as if nothing were recorded. FOUND_END: the program was ended
/// then by a signal that comes from outside; `end` says which.
enum found { FOUND_ANSWER, FOUND_LATER, FOUND_MEMORY, FOUND_END };
/// The answer stays valid until the next call of match().
enum found match(struct matcher *matcher, const struct recorded_call *call,
                 struct bytes *answer, struct end *end);

/// Memory of the program's: where it was in the recording, and is now.
void note_allocated(struct matcher *matcher, uint64_t then, uint64_t now,
                    uint64_t size);
void note_freed(struct matcher *matcher, uint64_t now);

/// The program has ended: writes the rest of the output, and fails when the
/// recording does not end like that.
void finish_match(struct matcher *matcher, struct end end);

#endif // GPUEXEC_REPLAY_PLAYER_MATCH_H
