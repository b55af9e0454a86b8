//===-- replay/recorder/replayer.h - Answers from a recording ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a program the answers that it got when it was recorded.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_REPLAYER_H
#define GPUEXEC_REPLAY_RECORDER_REPLAYER_H

#include "loader/job/job.h"
#include "replay/recorder/core.h"
#include "replay/recorder/recording.h"
#include "rpc/server/journal.h"
#include <atomic>
#include <deque>
#include <mutex>

namespace gpuexec::record {

class Replayer final : public rpc::Journal {
public:
  /// `name`: of the file, for messages. Recorded output is written to the
  /// descriptors `output` and `error`, which the caller owns. `scheduled`: the
  /// recorded schedule is repeated.
  Replayer(Recording recording, std::string name, int output, int error,
           bool scheduled = false);

  const Recording &recording() const { return recorded; }
  /// Sets a function that returns lines on where each wave of the program is;
  /// it is called when the program leaves the recording. Call this before the
  /// program runs.
  void set_where(std::function<std::string()> f) { where = std::move(f); }

  /// Makes the program end, with status 0, before call number `call` of the
  /// recording, from 0 on, is answered. report() then says where it was. Call
  /// this before the program runs.
  void stop_at(size_t call) { last_call = call; }

  /// Sets a function that is called when the program has reached the point
  /// where its time limit ended the recorded run. Call this before the program
  /// runs.
  void set_timed_out(std::function<void()> f) { timed_out = std::move(f); }
  /// Whether that function was called: the program then ends as timed out.
  bool is_timed_out() const { return is_at_time_out; }

  bool replays() const override { return true; }
  Found match(const rpc::CallNotes &call, llvm::StringRef &answer,
              rpc::Outcome &outcome) override;
  void allocated(DeviceAddress recorded, DeviceAddress now,
                 uint64_t size) override;
  void freed(DeviceAddress now) override;
  uint64_t waited(uint64_t step, uint64_t ticks) override;
  bool halts(uint64_t step, std::optional<rpc::Outcome> &outcome) override;

  /// Call it after the program's end. Writes the rest of the output; fails, as
  /// Failure, if the recording does not end with `result`.
  llvm::Error finish(const Result &result);
  /// Lines on where the program was when it left the recording, or at the call
  /// of stop_at(); may be empty.
  std::string report() const;

private:
  void write_output();
  /// The outcome if is_ended_by_host() (replay/core/match.h).
  std::optional<rpc::Outcome> end_by_host(uint32_t opcode) const;
  /// Whether the call is that of stop_at().
  bool is_last(const ::match &match, const recorded_call &call) const;
  std::string place_of(llvm::StringRef report, uint32_t caller) const;
  llvm::Error fails(const Text &why) const;

  const Recording recorded;
  const std::string name;
  const int descriptors[2];
  const bool one_caller, scheduled;
  std::function<std::string()> where;
  std::function<void()> timed_out;
  std::atomic<bool> is_at_time_out = false;
  std::optional<size_t> last_call;

  mutable std::mutex mutex;
  const Matcher matcher;
  std::deque<std::string> answers; // composed ones, not in the recording
  size_t next_wait = 0;
  bool at_end_of_run = false, reached_last = false;
  int lost_output = 0; // errno of writing standard output
  std::string difference, place;
};

} // namespace gpuexec::record

#endif
