//===-- replay/core/match.h - Matches calls with a recording -----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the recorded call that corresponds to a call of the running program.
// - A program of one wave must make the same calls in the same order.
// - With more waves, a call corresponds to the next recorded call of the same
//   lane of the same wave. Calls for memory are not compared, because the
//   program's waves share one heap. If the caller's recorded calls do not fit
//   (a thread may run on another wave this time, or the image does not say who
//   calls), the call corresponds to any lane's recorded call with the same
//   request. The caller is then taken for that lane, as long as its next calls
//   are that lane's.
// - In a recorded schedule a call corresponds to the recorded call with the
//   same number; it must be of the same wave, and gets its answer at the same
//   step of the device.
//
// Texts contain bytes of the recording as they are: the caller makes them
// printable.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_MATCH_H
#define GPUEXEC_REPLAY_CORE_MATCH_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/printed.h"
#include "replay/core/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a call corresponds to the recording.
enum match_kind {
  MATCH_FOUND,    ///< to a recorded call
  MATCH_ANY_TIME, ///< not compared: serve it as if nothing were recorded
  MATCH_PRINTED,  ///< output of several waves, which is compared at the end
  MATCH_LATER,    ///< ask again when other waves, or the device, have gone on
  MATCH_DIFFERS,  ///< the recording has another call of its caller here
  MATCH_BEYOND,   ///< the recording has no more calls of its caller
};
#define NO_CALL SIZE_MAX
struct match {
  enum match_kind kind;
  size_t call; ///< index in the recording; NO_CALL if it is not known
  /// The answer of MATCH_FOUND and MATCH_PRINTED; the text of MATCH_DIFFERS.
  /// Valid until the matcher is used again.
  struct bytes answer, difference;
};

/// Not thread-safe. The recording must outlive the matcher.
struct matcher;
/// Makes a matcher for match_call(). `in_order`: one wave makes all calls.
struct matcher *make_matcher(const struct recording *recording, bool in_order);
/// Makes a matcher for match_scheduled(). `one_caller`: all calls are of one
/// wave.
struct matcher *make_schedule_matcher(const struct recording *recording,
                                      bool one_caller);
void free_matcher(struct matcher *matcher);

/// Matches a call of the program. `is_last`: no further call will come.
struct match match_call(struct matcher *matcher,
                        const struct recorded_call *call, bool is_last);
/// Matches a call with a number and a step, in a schedule.
struct match match_scheduled(struct matcher *matcher,
                             const struct recorded_call *call);
/// From now on no match is MATCH_LATER, except in a schedule.
void stop_waiting(struct matcher *matcher);

/// Whether one wave made all recorded calls.
bool has_one_caller(const struct recording *recording);

/// Notes that the program has allocated memory at `now`, which was at `then` in
/// the recorded run.
void note_allocated(struct matcher *matcher, uint64_t then, uint64_t now,
                    uint64_t size);
void note_freed(struct matcher *matcher, uint64_t now);

/// The index of the first recorded call that the program has not made; the
/// number of calls when it has made all.
size_t first_left(const struct matcher *matcher);
/// Whether the program has made all recorded calls, and printed as many bytes
/// as in the recorded run.
bool is_complete(const struct matcher *matcher);
/// Whether the program must end now, before or after a call of this opcode: the
/// host ended the recorded program, by an alarm or because of a pipe, and this
/// one has made all recorded calls. It is not left to make further calls,
/// because it might compute for ever.
bool is_ended_by_host(const struct matcher *matcher, uint32_t opcode);
/// The next recorded output to be written, each once; NULL if none is due. With
/// one wave an output is due when the calls before it have been made; with more
/// at the end, when it is known whether the waves have printed the same.
const struct recorded_output *next_output(struct matcher *matcher, bool at_end);

/// Appends `call 3 (wave 1, lanes 0x1) differs: ...`, or for MATCH_BEYOND the
/// call that the recording lacks.
void describe_mismatch(struct buffer *to, const struct matcher *matcher,
                       const struct match *match,
                       const struct recorded_call *call);
/// Appends the first recorded call that the program has not made; with several
/// waves one lane's part of it. Appends nothing if it has made all.
void describe_first_left(struct buffer *to, const struct matcher *matcher);
/// Finds a difference in the output of several waves. False: there is none.
bool find_printed_difference(const struct matcher *matcher,
                             struct printed_difference *difference);
/// After the program's end: appends the call or line that is missing. False:
/// none is.
bool describe_missing(struct buffer *to, const struct matcher *matcher);
/// After that: appends how the recording's end differs from the program's,
/// which is `kind` (`exited` ...) with `value`. False: it does not.
bool describe_other_end(struct buffer *to, const struct matcher *matcher,
                        const char *kind, int64_t value);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_MATCH_H
