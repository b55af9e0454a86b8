//===-- loader/process/run.h - What surrounds one execution -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only for the files of this folder. Shared by the thread that waits and those
// that it starts: one that is stuck outlives run_process().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_RUN_H
#define GPUEXEC_LOADER_PROCESS_RUN_H

#include "loader/job/execution.h"
#include "loader/process/call_files.h"
#include "loader/process/held_streams.h"
#include "loader/process/process.h"
#include "loader/sandbox/sandbox.h"
#include "replay/recorder/recorder.h"
#include "replay/recorder/replayer.h"
#include <atomic>
#include <future>

namespace gpuexec {

/// Where the reports go that the user asked for: opened before the program
/// runs.
struct Reports {
  CallFiles files;
  std::shared_ptr<rpc::Trace> trace;
  std::shared_ptr<record::Recorder> recorder; ///< of --record

  llvm::Error open(const RunOptions &options);
  /// Names by which the files must be opened again in a sandbox.
  std::vector<std::string> late_names() const;
};

/// What the process does between the steps of a job, on the job's own thread:
/// prints what was asked for, records, confines.
class ProcessObserver final : public Observer {
public:
  /// Create it before the process opens descriptors without close-on-exec: it
  /// notes those that were inherited.
  ProcessObserver(const RunOptions &options, const Personality &personality,
                  std::shared_ptr<Phases> phases,
                  std::shared_ptr<const Reports> reports)
      : options(options), personality(personality), phases(std::move(phases)),
        reports(std::move(reports)) {}
  /// Sets the function that is called when the thread that waits for the job
  /// must call follow_into_sandbox().
  void set_notifier(std::function<void()> notifier) {
    confined = std::move(notifier);
  }
  /// Sets the function that is called when the program has a device and no
  /// other's fault can end it.
  void set_unshared(std::function<void()> notifier) {
    unshared = std::move(notifier);
  }
  /// Confines the calling thread, as the job's thread has confined itself.
  void follow_into_sandbox();

  llvm::Error opened(Device &device, const Image &image) override;
  llvm::Error loaded(Device &device, const Program &program) override;
  void launching(const Image &image, const Kernel &kernel,
                 Module &module) override;

private:
  llvm::Error check_addresses(const DeviceInfo &info);
  sandbox::Grants grants(Device &device) const;
  llvm::Error confine(Device &device);

  const RunOptions &options;
  const Personality personality;
  const std::shared_ptr<Phases> phases;
  const std::shared_ptr<const Reports> reports;
  /// Descriptors that the process was started with; a sandbox closes them.
  const std::vector<int> inherited = options.job.server.sandbox
                                         ? sandbox::inherited_descriptors()
                                         : std::vector<int>();
  std::optional<sandbox::Sandbox> sandbox;
  std::function<void()> confined, unshared;
  std::promise<std::string> followed; // why it failed, or ""
};

struct Run {
  Run(const RunOptions &options, const Personality &personality,
      std::shared_ptr<Phases> phases)
      : options(options), personality(personality),
        command(personality.command), phases(std::move(phases)) {}
  const RunOptions &options;
  const Personality personality;
  const llvm::StringRef command;
  const std::shared_ptr<Phases> phases;
  const std::shared_ptr<Reports> reports = std::make_shared<Reports>();
  const std::shared_ptr<ProcessObserver> observer =
      std::make_shared<ProcessObserver>(options, personality, phases, reports);
  std::shared_ptr<record::Replayer> replayer; ///< of --replay
  std::unique_ptr<Recording> live;            ///< of --replay-live
  std::unique_ptr<Execution> execution;
  /// The same pointer, for threads of the job.
  std::atomic<Execution *> execution_for_others{nullptr};
  std::atomic<bool> reported = true;     // all that was asked for was written
  std::unique_ptr<HeldStreams> streams;  ///< of --rerun
  unsigned runs = 0;                     ///< that others have ended
  std::optional<Result::Again> next_run; ///< of a program that runs once more
  /// It is among programs of which one has faulted: it may run again, though
  /// it runs alone now.
  std::atomic<bool> is_suspect = false;

  /// Sets `next_run` and returns true if others have ended the program and it
  /// can run once more. If it cannot, adds to the message what the user can do.
  bool wants_again(Result &result);

  /// Prints the statistics, and writes their file, when the program has ended.
  void print_reports(bool with_call_table);
  /// Ends the recording, or says how a replay ended otherwise than recorded.
  void finish_recording(const Result &result, ExitResult &end);
  void finish_recording_by_signal(int signal);
  /// Where the program is: lines for a report. From any thread.
  std::string where();
  /// Prints and writes the times for --verbose, --timings and --trace. Called
  /// last.
  void print_timings();
};

/// --record and --replay: what they change of the job. Errors: Failure.
llvm::Error set_up_recording(Run &run, Job &job);

/// --sandbox: an error, or a warning with --sandbox-weak, when this kernel
/// lacks a layer.
llvm::Error check_sandbox(const RunOptions &options, llvm::StringRef command);

} // namespace gpuexec

#endif
