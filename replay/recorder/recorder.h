//===-- replay/recorder/recorder.h - Records a run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_RECORDER_H
#define GPUEXEC_REPLAY_RECORDER_RECORDER_H

#include "loader/job/job.h"
#include "replay/recorder/recording.h"
#include "rpc/server/journal.h"

namespace gpuexec::record {

/// Writes a job's calls of its host, with the answers, to a file.
class Recorder final : public rpc::Journal {
public:
  /// Empties the open file. `path`: its name for errors, which are Failures.
  /// `executable`: see RecordingWriter::create().
  static llvm::Expected<std::shared_ptr<Recorder>>
  create(UniqueFd file, const std::string &path, const Job &job,
         llvm::StringRef executable = {});

  /// Call it when the job's device is open. Fails, as Failure, for programs
  /// that reach their host in another way than by calls.
  llvm::Error opened(const Device &device, const Image &image);
  /// Call it when the image is loaded, before anything has run.
  void loaded(const Program &program);
  /// Writes the job's result and closes the file. Errors: Failure, when the
  /// file could not be written.
  llvm::Error finish(const Result &result);
  /// The same when a signal ends the process.
  llvm::Error finish_by_signal(int signal);

  bool replays() const override { return false; }
  Turn take_turn() override { return writer->take_turn(); }
  void served(const rpc::CallNotes &call, Turn turn) override;
  void output(int stream, llvm::StringRef bytes) override;
  uint64_t waited(uint64_t step, uint64_t ticks) override;
  void halted(uint64_t step) override;

private:
  Recorder(std::unique_ptr<RecordingWriter> writer, RecordedFacts facts)
      : writer(std::move(writer)), facts(std::move(facts)) {}
  llvm::Error finish(RecordedEnd end);
  void begin();
  std::unique_ptr<RecordingWriter> writer;
  RecordedFacts facts;
  std::string image; ///< until it is in the file
  std::atomic<bool> is_open = false, begun = false, finished = false;
};

/// The name in recordings of a way in which a job ends.
std::string kind_name(Result::Kind kind);

} // namespace gpuexec::record

#endif
