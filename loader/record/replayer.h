//===-- loader/record/replayer.h - Answers from a recording -----*- C++ -*-===//
// Gives a program the answers that it got when it was recorded. A run of one
// wave must make the same calls in the same order. With more waves an answer
// belongs to its caller: the same lane of the same wave, after as many calls.
// Memory is not compared then: the program's waves share one heap.
// Where the two do not fit (a thread that runs on another wave this time, an
// image that does not say who calls) any lane's call with the same request will
// do.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_RECORD_REPLAYER_H
#define GPUEXEC_LOADER_RECORD_REPLAYER_H

#include "loader/job/job.h"
#include "loader/record/describe.h"
#include "loader/record/standard_output.h"
#include "recording/recording.h"
#include "rpc/server/journal.h"
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>

namespace gpuexec::record {

class Replayer final : public rpc::Journal {
public:
  /// `name`: the file's, for messages. What was recorded as output goes to
  /// these descriptors, which stay the caller's.
  Replayer(Recording recording, std::string name, int output, int error);

  const Recording &recording() const { return recorded; }
  /// Who tells where the program is when it does something else than recorded:
  /// lines for a report. Set before the program runs.
  void set_where(std::function<std::string()> f) { where = std::move(f); }

  bool replays() const override { return true; }
  Found match(const rpc::CallNotes &call, llvm::StringRef &answer,
              rpc::Outcome &outcome) override;
  void allocated(DeviceAddress recorded, DeviceAddress now,
                 uint64_t size) override;
  void freed(DeviceAddress now) override;

  /// After the program's end, how it ended this time: writes the rest of the
  /// output, and fails, as Failure, when that is not how the recording ends.
  llvm::Error finish(const Result &result);
  /// Lines on where the program was when it left the recording; may be empty.
  std::string report() const;

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
  bool may_wait(const RecordedCall &call, bool found, size_t first) const;
  Found match_in_order(const RecordedCall &call, llvm::StringRef &answer,
                       rpc::Outcome &outcome);
  Found match_lanes(const RecordedCall &call, llvm::StringRef &answer,
                    rpc::Outcome &outcome);
  RecordedCall call_of(const Unit &unit) const;
  void take(size_t index);
  void skip_taken();
  void write_output();
  /// The program wants more than was recorded.
  rpc::Outcome at_end(const RecordedCall &call) const;
  std::string place_of(llvm::StringRef report, const RecordedCall &call) const;
  std::string difference_at(size_t expected, const RecordedCall &call) const;
  rpc::Outcome outcome_of(size_t expected, const RecordedCall &call) const;

  const Recording recorded;
  const std::string name;
  const int descriptors[2];
  std::function<std::string()> where;
  bool one_caller = true, ends_by_call = false;

  mutable std::mutex mutex;
  std::vector<Unit> units; // those that must be made
  size_t first_left = 0;   // all units before it are taken
  size_t next_output = 0;
  bool at_end_of_run = false;
  PrintedText then_printed, now_printed; // of several waves
  std::deque<std::string> answers;       // that were not recorded
  std::map<Caller, std::deque<size_t>> by_caller;
  std::unordered_multimap<uint64_t, size_t> by_request; // a hash of it
  std::map<DeviceAddress, Memory> memory;               // by where it is now
  std::map<uint64_t, uint64_t> recorded_memory;         // size by address
  std::string difference, place;
};

} // namespace gpuexec::record

#endif
