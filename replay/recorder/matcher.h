//===-- replay/recorder/matcher.h - Calls beside a recording ----*- C++ -*-===//
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
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_MATCHER_H
#define GPUEXEC_REPLAY_RECORDER_MATCHER_H

#include "replay/recorder/describe.h"
#include "replay/recorder/recording.h"
#include "replay/recorder/standard_output.h"
#include "support/device_address.h"
#include <csignal>
#include <deque>
#include <map>
#include <unordered_map>

namespace gpuexec::record {

/// Was there one wave, which made all calls? With more waves only luck lets one
/// of them ask for all memory.
bool has_one_caller(const Recording &recording);

/// The status of a program that an alarm has ended.
inline constexpr int ALARM_STATUS = 128 + SIGALRM;
bool ended_by_alarm(const Recording &recording);
/// By a pipe that nobody reads.
bool ended_by_pipe(const Recording &recording);

/// What a call is in the recording.
struct Match {
  enum class Kind {
    found,    ///< a recorded call
    any_time, ///< one that is served whenever it comes, as if not recorded
    printed,  ///< output of several waves, which is compared at the end
    later,    ///< ask again when other waves, or the device, have gone on
    differs,  ///< its caller was to make another call
    beyond,   ///< its caller was to make no more calls
  };
  Kind kind;
  llvm::StringRef answer; ///< of what is found; stays as long as the matcher
  /// In the recording: what was found, or was to come. Not known of others.
  size_t call = SIZE_MAX;
  std::string difference; ///< of a call that differs
};

/// Not thread-safe.
class CallMatcher {
public:
  /// `in_order`: as of one wave, which makes the recorded calls in their order.
  /// `scheduled`: in the recorded schedule, as many waves as there are.
  /// The recording must outlive this.
  CallMatcher(const Recording &recording, bool in_order,
              bool scheduled = false);

  /// `is_last`: no further call will come.
  Match match(const RecordedCall &call, bool is_last = false);
  bool is_in_order() const { return in_order; }
  /// From now on nothing is to come later.
  void stop_waiting() { may_wait = false; }

  /// What the program has of the device's memory: where it was in the
  /// recording, and where it is now.
  void allocated(uint64_t recorded, DeviceAddress now, uint64_t size);
  void freed(DeviceAddress now);

  /// The first recorded call that was not made; all before it were. The number
  /// of calls when none is left.
  size_t first_left() const;
  /// Has the program made all its calls, and printed as much as then?
  bool is_complete() const;
  /// How it says what it asks; of several waves, its first lane that was left.
  std::string describe_first_left() const;
  /// How the output of several waves differs, after the program's end.
  std::optional<PrintedText::Difference> output_difference() const;

private:
  using Caller = std::pair<uint32_t, unsigned>; // wave, lane
  /// A call, or with several waves one lane's part of it.
  struct Unit {
    size_t call; ///< in the recording
    LaneCall lane;
    bool taken = false;
  };
  struct Memory {
    uint64_t recorded, size;
  };
  void add_units(size_t call);
  bool is_same(const RecordedCall &recorded, const RecordedCall &now) const;
  bool is_same(const Unit &unit, const RecordedCall &now,
               const LaneCall &lane) const;
  std::optional<size_t> find(const RecordedCall &call, const LaneCall &lane,
                             size_t &expected);
  std::optional<size_t> find_following(const RecordedCall &call,
                                       const LaneCall &lane) const;
  Caller recorded_caller(const Unit &unit) const;
  void note_caller(const RecordedCall &call, const LaneCall &lane,
                   size_t index);
  bool is_later(const RecordedCall &call, bool found, size_t first) const;
  Match match_in_order(const RecordedCall &call);
  Match match_lanes(const RecordedCall &call, bool is_last);
  Match match_scheduled(const RecordedCall &call);
  RecordedCall call_of(const Unit &unit) const;
  void take(size_t index);
  Match mismatch(size_t expected, const RecordedCall &call) const;

  const Recording &recorded;
  const bool in_order, scheduled;
  bool ends_by_call = false, may_wait = true;
  std::vector<Unit> units;               // those that must be made
  size_t next = 0;                       // all units before it are taken
  PrintedText then_printed, now_printed; // of several waves
  std::deque<std::string> answers;       // that were not recorded
  std::unordered_map<uint64_t, size_t> by_number; // of a schedule
  uint64_t last_number = 0;
  std::map<Caller, std::deque<size_t>> by_caller;
  std::map<Caller, size_t> following; // of another's calls, the last one taken
  std::unordered_multimap<uint64_t, size_t> by_request; // a hash of it
  std::map<DeviceAddress, Memory> memory;               // by where it is now
  std::map<uint64_t, uint64_t> recorded_memory;         // size by address
};

} // namespace gpuexec::record

#endif
