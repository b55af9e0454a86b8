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
  /// `name`: the file's, for messages. What was recorded as output goes to
  /// these descriptors, which stay the caller's. `scheduled`: the recorded
  /// schedule is repeated.
  Replayer(Recording recording, std::string name, int output, int error,
           bool scheduled = false);

  const Recording &recording() const { return recorded; }
  /// Who tells where the program is when it does something else than recorded:
  /// lines for a report. Set before the program runs.
  void set_where(std::function<std::string()> f) { where = std::move(f); }

  /// The program is to end, with status 0, before this call of the recording,
  /// from 0 on, is answered. report() then says where it was. Set before it
  /// runs.
  void stop_at(size_t call) { last_call = call; }

  /// Who is told when the program is where it was timed out in the recording,
  /// and stands still. Set before the program runs.
  void set_timed_out(std::function<void()> f) { timed_out = std::move(f); }
  /// True when they have been told: it ends now as it did then.
  bool is_timed_out() const { return is_at_time_out; }

  bool replays() const override { return true; }
  Found match(const rpc::CallNotes &call, llvm::StringRef &answer,
              rpc::Outcome &outcome) override;
  void allocated(DeviceAddress recorded, DeviceAddress now,
                 uint64_t size) override;
  void freed(DeviceAddress now) override;
  uint64_t waited(uint64_t step, uint64_t ticks) override;
  bool halts(uint64_t step, std::optional<rpc::Outcome> &outcome) override;

  /// After the program's end, how it ended this time: writes the rest of the
  /// output, and fails, as Failure, when that is not how the recording ends.
  llvm::Error finish(const Result &result);
  /// Lines on where the program was when it left the recording, or at the call
  /// of stop_at(); may be empty.
  std::string report() const;

private:
  void write_output();
  /// The host ended it, by an alarm or because of a pipe, and it has made all
  /// calls: so it ends. That needs no further call: it may compute for ever.
  std::optional<rpc::Outcome> end_by_host(uint32_t opcode) const;
  /// Is it the one of stop_at()?
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
  std::deque<std::string> answers; // that are not in the recording
  size_t next_wait = 0;
  bool at_end_of_run = false, reached_last = false;
  int lost_output = 0; // errno of standard output's
  std::string difference, place;
};

} // namespace gpuexec::record

#endif
