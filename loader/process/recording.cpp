//===-- loader/process/recording.cpp - --record and --replay --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/messages.h"
#include "loader/process/run.h"
#include "replay/recorder/facts.h"
#include "support/printable.h"
#include "support/trusted_path.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <unistd.h>

namespace gpuexec {

static llvm::Expected<Recording> read_recording(const std::string &path) {
  llvm::Expected<Recording> recording = Recording::read(path);
  if (!recording)
    return failure(Reason::failed, "{0}",
                   llvm::toString(recording.takeError()));
  return recording;
}

/// --replay-live: takes only the image from the recording.
static llvm::Error set_up_live(Run &run, Job &job) {
  llvm::Expected<Recording> recording = read_recording(run.options.replay_live);
  if (!recording)
    return recording.takeError();
  record::apply_image(*recording, job);
  run.live = std::make_unique<Recording>(std::move(*recording));
  return llvm::Error::success();
}

/// Chooses the addresses of the device's memory. A run with a schedule fails if
/// they are taken: what a program does may depend on addresses.
static llvm::Error give_memory(Job &job) {
  job.device_settings.memory = record::fixed_memory();
  if (job.schedule && job.device_settings.memory.empty())
    return failure(Reason::failed,
                   "{0}: the addresses of the device's memory are not free in "
                   "this process",
                   job.schedule->label);
  return llvm::Error::success();
}

static llvm::Error set_up_replay(Run &run, Job &job) {
  const std::string &path = run.options.replay;
  llvm::Expected<Recording> recording = read_recording(path);
  if (!recording)
    return recording.takeError();
  const bool scheduled =
      run.options.replay_schedule && record::has_schedule(*recording);
  run.replayer = std::make_shared<record::Replayer>(
      std::move(*recording), path, STDOUT_FILENO, STDERR_FILENO, scheduled);
  llvm::Error error = record::apply(run.replayer->recording(), job);
  if (!error && scheduled)
    error = record::apply_schedule(run.replayer->recording(), job);
  if (error)
    return failure(Reason::failed, "{0}: {1}", path,
                   llvm::toString(std::move(error)));
  if (run.options.until_call) {
    if (*run.options.until_call > run.replayer->recording().calls().size())
      return failure(Reason::failed, "--until-call: {0} has {1} calls", path,
                     run.replayer->recording().calls().size());
    run.replayer->stop_at(*run.options.until_call - 1);
  }
  run.replayer->set_where([&run] { return run.where(); });
  job.server.journal = run.replayer;
  return give_memory(job);
}

/// Reads gpu-replay, which is installed beside this executable.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read_replayer() {
  llvm::SmallString<256> path;
  if (!llvm::sys::fs::real_path("/proc/self/exe", path))
    llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "gpu-replay");
  if (std::string problem = distrust(path.str().str()); !problem.empty())
    return failure(Reason::failed, "--record-standalone: {0}", problem);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return failure(Reason::failed, "--record-standalone: {0}: {1}", path,
                   file.getError().message());
  if (size_of_executable((*file)->getBuffer()) != (*file)->getBufferSize())
    return failure(Reason::failed,
                   "--record-standalone: {0}: its sections are not its end",
                   path);
  return std::move(*file);
}

static llvm::Error set_up_record(Run &run, Job &job) {
  const std::string &path = run.options.record;
  const ReportFile &file = run.reports->files.record;
  if (file.is(job.image))
    return failure(Reason::failed, "--record: {0}: this is the program itself",
                   path);
  std::unique_ptr<llvm::MemoryBuffer> replayer;
  if (!run.options.record_standalone.empty()) {
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read = read_replayer();
    if (!read)
      return read.takeError();
    replayer = std::move(*read);
  }
  llvm::Expected<UniqueFd> stream = file.stream(/*empties=*/false);
  if (!stream)
    return stream.takeError();
  if (run.options.record_schedule)
    job.schedule = {run.options.schedule_seed.value_or(std::random_device()()),
                    "--record-schedule"};
  llvm::Expected<std::shared_ptr<record::Recorder>> recorder =
      record::Recorder::create(std::move(*stream), path, job,
                               replayer ? replayer->getBuffer()
                                        : llvm::StringRef());
  if (!recorder)
    return recorder.takeError();
  run.reports->recorder = *recorder;
  job.server.journal = std::move(*recorder);
  if (llvm::Error error = give_memory(job))
    return error;
  if (run.options.quiet)
    return llvm::Error::success();
  print_warning(
      run.command,
      llvm::formatv("{0} will hold all that the program reads and "
                    "writes, its arguments and {1} variable{2} of its "
                    "environment",
                    printable(path), job.environment.size(),
                    job.environment.size() == 1 ? "" : "s")
          .str());
  if (job.schedule && !run.options.schedule_seed)
    say_error(llvm::formatv("{0}: --record-schedule={1}\n", run.command,
                            job.schedule->seed)
                  .str());
  return llvm::Error::success();
}

llvm::Error set_up_recording(Run &run, Job &job) {
  if (!run.options.record.empty())
    return set_up_record(run, job);
  if (!run.options.replay_live.empty())
    return set_up_live(run, job);
  return run.options.replay.empty() ? llvm::Error::success()
                                    : set_up_replay(run, job);
}

/// Makes the error of a recording or a replay the end of the run.
static void note_failure(llvm::StringRef command, llvm::Error error,
                         ExitResult &end) {
  if (!error)
    return;
  const bool clean = end.clean;
  end = own_failure(command, std::move(error));
  end.clean = clean;
}

void Run::finish_recording(const Result &result, ExitResult &end) {
  if (reports->recorder) {
    note_failure(command, reports->recorder->finish(result), end);
    if (!reports->files.record.check_name(command))
      reported = false;
  }
  if (!replayer)
    return;
  say_error(replayer->report());
  note_failure(command, replayer->finish(result), end);
}

void Run::finish_recording_by_signal(int signal) {
  ExitResult end;
  if (!reports->recorder)
    return;
  note_failure(command, reports->recorder->finish_by_signal(signal), end);
  reports->files.record.check_name(command);
}

std::string Run::where() {
  Execution *running = execution_for_others;
  return running ? running->where() : std::string();
}

} // namespace gpuexec
