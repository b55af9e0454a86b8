//===-- replay/core/match.h - Calls beside a recording -----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the recorded call that a program's call is. A run of one wave must make
// the same calls in the same order. With more waves a call belongs to its
// caller: the same lane of the same wave, after as many calls. Memory is not
// compared then: the program's waves share one heap.
// Where the two do not fit (a thread that runs on another wave this time, an
// image that does not say who calls) any lane's call with the same request will
// do. After it the caller is held to be that lane, as long as its calls are
// those that follow there.
// In a recorded schedule a call must be the one with its number, by the same
// wave, and gets its answer at the same step of the device.
//
// Texts hold bytes of the recording as they are: who prints them makes them
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

/// What a call is in the recording.
enum match_kind {
  MATCH_FOUND,    ///< a recorded call
  MATCH_ANY_TIME, ///< a call that is served as if it were not recorded
  MATCH_PRINTED,  ///< output of several waves, which is compared at the end
  MATCH_LATER,    ///< ask again when other waves, or the device, have gone on
  MATCH_DIFFERS,  ///< its caller was to make another call
  MATCH_BEYOND,   ///< its caller was to make no more calls
};
#define NO_CALL SIZE_MAX
struct match {
  enum match_kind kind;
  size_t call; ///< in the recording; NO_CALL where that is not known
  /// Of what is found or printed, and of what differs. Both stay until the
  /// matcher is asked again.
  struct bytes answer, difference;
};

/// Not thread-safe. The recording must outlive the matcher.
struct matcher;
/// `in_order`: one wave makes the recorded calls in their order.
struct matcher *make_matcher(const struct recording *recording, bool in_order);
/// For match_scheduled(). `one_caller`: all calls are of one wave.
struct matcher *make_schedule_matcher(const struct recording *recording,
                                      bool one_caller);
void free_matcher(struct matcher *matcher);

/// `is_last`: no further call will come.
struct match match_call(struct matcher *matcher,
                        const struct recorded_call *call, bool is_last);
/// The same of a call with a number and a step.
struct match match_scheduled(struct matcher *matcher,
                             const struct recorded_call *call);
/// From now on no match is MATCH_LATER, except in a schedule.
void stop_waiting(struct matcher *matcher);

/// Was every call made by one wave?
bool has_one_caller(const struct recording *recording);

/// The program has allocated memory, which was at `then` in the recording.
void note_allocated(struct matcher *matcher, uint64_t then, uint64_t now,
                    uint64_t size);
void note_freed(struct matcher *matcher, uint64_t now);

/// The first recorded call that was not made; all before it were. The number of
/// calls when none is left.
size_t first_left(const struct matcher *matcher);
/// Has the program made all its calls, and printed as much as then?
bool is_complete(const struct matcher *matcher);
/// The host ended the recorded program, by an alarm or because of a pipe, and
/// this one has made all calls: it ends before or after a call of this opcode.
/// That needs no further call: it may compute for ever.
bool is_ended_by_host(const struct matcher *matcher, uint32_t opcode);
/// The next recorded output that is due, each once; NULL: none yet. With one
/// wave it is due when the calls before it were made, else at the end, when it
/// is known whether the waves have printed the same.
const struct recorded_output *next_output(struct matcher *matcher, bool at_end);

/// `call 3 (wave 1, lanes 0x1) differs: ...`, or what the program wants beyond
/// the recording.
void describe_mismatch(struct buffer *to, const struct matcher *matcher,
                       const struct match *match,
                       const struct recorded_call *call);
/// How the program would ask for the first call that is left; nothing without
/// one. Of several waves one lane's part of it.
void describe_first_left(struct buffer *to, const struct matcher *matcher);
/// How the output of several waves differs. False: it does not.
bool find_printed_difference(const struct matcher *matcher,
                             struct printed_difference *difference);
/// After the program's end: the call or line that is missing. False: none.
bool describe_missing(struct buffer *to, const struct matcher *matcher);
/// After that: why the recording does not end as the program has, `exited` with
/// a value for example. False: it does.
bool describe_other_end(struct buffer *to, const struct matcher *matcher,
                        const char *kind, int64_t value);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_MATCH_H
