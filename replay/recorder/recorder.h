//===-- replay/recorder/recorder.h - Records a run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_RECORDER_H
#define GPUEXEC_REPLAY_RECORDER_RECORDER_H

#include "loader/job/job.h"
#include "replay/recorder/recording.h"
#include "rpc/server/journal.h"

namespace gpuexec::record {

/// Writes what a job asks of its host, and what it is answered, to a file.
class Recorder final : public rpc::Journal {
public:
  /// Empties the open file. Errors: Failure, with `path`.
  /// `executable`: as of RecordingWriter::create().
  static llvm::Expected<std::shared_ptr<Recorder>>
  create(UniqueFd file, const std::string &path, const Job &job,
         llvm::StringRef executable = {});

  /// The job's device is open; nothing has run. Fails, as Failure, for programs
  /// that talk to their host in another way than by calls.
  llvm::Error opened(const Device &device, const Image &image);
  /// The image is loaded; nothing has run.
  void loaded(const Program &program);
  /// The job has ended so. Errors: Failure, when the file could not be written.
  llvm::Error finish(const Result &result);
  /// The process is ended by a signal.
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

/// How a recording calls the ways in which a job ends.
std::string kind_name(Result::Kind kind);

} // namespace gpuexec::record

#endif
