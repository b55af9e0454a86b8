//===-- loader/process/comparison.cpp - gpuexec --compare -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/comparison.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/standard_streams.h"
#include "loader/process/listening.h"
#include "loader/process/own_run.h"
#include "replay/recorder/compare.h"
#include "replay/recorder/describe.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <memory>

namespace gpuexec {
namespace {

constexpr int SAME = 0, DIFFERENT = 1;

// A replay that gets stuck, because its program depends on more than its calls,
// is given up.
constexpr const char *SECONDS = "60";

struct Side {
  std::string path;
  Recording recording;
};

/// The command line that replays a side up to a call. Without --device the
/// emulated device is used, which reports most.
std::vector<std::string> replay_of(const Side &side, size_t call,
                                   const RunOptions &options) {
  const bool any = options.job.device.text == "auto";
  std::vector<std::string> words = {
      "gpuexec",
      "--server=off",
      "--device=" + (any ? "emulator" : options.job.device.text),
      "--timeout=" + (options.job.time_limit
                          ? std::to_string(options.job.time_limit->count())
                          : std::string(SECONDS)),
      "--until-call=" + std::to_string(call + 1),
      "--replay=" + side.path};
  if (!options.job.jit_cache.empty())
    words.push_back("--jit-cache=" + options.job.jit_cache);
  if (const DeviceOption *threads = options.job.find_option("threads"))
    words.push_back(threads->label + "=" + threads->value);
  return words;
}

/// Prints where the program of a side was at a call. Returns the signal that
/// arrived meanwhile, or 0.
int print_place(const Side &side, size_t call, const RunOptions &options,
                int signal_fd) {
  const std::vector<std::string> words = replay_of(side, call, options);
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  std::string output, text;
  OwnRun run = start_own_run(arguments, OwnOutput::kept, output, text);
  int signal = 0;
  const int status =
      run.failure ? status::Failed : finish_own_run(run, signal_fd, signal);
  if (run.failure)
    text = std::string("cannot start a replay: ") + std::strerror(run.failure);
  if (status == 0) {
    for (llvm::StringRef left = text; !left.empty();) {
      auto [line, rest] = left.split('\n');
      left = rest;
      say("  " + line + "\n");
    }
  } else if (!signal) {
    const size_t error = std::max<size_t>(text.find("error: ") + 1, 1) - 1;
    say("  where it was is not known: " +
        llvm::StringRef(text).substr(error).split('\n').first + "\n");
  }
  return signal;
}

int print_side(const Side &side, std::optional<size_t> call,
               const RunOptions &options, int signal_fd) {
  if (!call || *call >= side.recording.calls().size())
    return 0;
  say(llvm::formatv("{0}: call {1}: {2}\n", side.path, *call + 1,
                    record::describe(side.recording.calls()[*call]))
          .str());
  llvm::outs().flush(); // the replay below takes a while
  return print_place(side, *call, options, signal_fd);
}

/// Two recordings, read and compared. Shared with the thread that does it.
struct Compared {
  std::optional<Side> first, second;
  record::Comparison found;

  static llvm::Error read(std::optional<Side> &side, const std::string &path) {
    llvm::Expected<Recording> recording = Recording::read(path);
    if (!recording)
      return failure(Reason::failed, "{0}",
                     llvm::toString(recording.takeError()));
    side = Side{path, std::move(*recording)};
    return llvm::Error::success();
  }
  llvm::Error run(const RunOptions &options) {
    if (llvm::Error error = read(first, options.compare))
      return error;
    if (llvm::Error error = read(second, options.compare_with))
      return error;
    found = record::compare(first->recording, second->recording);
    return llvm::Error::success();
  }
};

} // namespace

ExitResult run_comparison(const RunOptions &options, llvm::StringRef command,
                          int signal_fd) {
  auto compared = std::make_shared<Compared>();
  if (std::optional<ExitResult> end =
          listen_during([compared, &options] { return compared->run(options); },
                        command, options.compare + ", " + options.compare_with,
                        signal_fd, TimeLimit(options.job.time_limit)))
    return *end;
  const auto &[first, second, found] = *compared;
  for (const std::string &note : found.notes)
    say("note: " + note + "\n");
  for (const record::Difference &difference : found.differences) {
    say("differs: " + difference.what + "\n");
    int signal = print_side(*first, difference.first, options, signal_fd);
    if (!signal)
      signal = print_side(*second, difference.second, options, signal_fd);
    if (signal)
      return {status::signalled(signal), signal, /*clean=*/true};
  }
  if (found.differences.empty())
    say(llvm::formatv("no difference in {0} calls\n",
                      second->recording.calls().size())
            .str());
  // Status 1 means "different" here, so a failed write must not end with it.
  if (!finish_standard_streams(command))
    return {status::Failed, 0, /*clean=*/true, /*ours=*/true};
  return {found.differences.empty() ? SAME : DIFFERENT, 0, /*clean=*/true};
}

} // namespace gpuexec
