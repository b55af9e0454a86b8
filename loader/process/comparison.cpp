//===-- loader/process/comparison.cpp - gpuexec --compare -----------------===//
#include "loader/process/comparison.h"
#include "loader/command_line/standard_streams.h"
#include "loader/process/own_run.h"
#include "loader/record/compare.h"
#include "loader/record/describe.h"
#include "support/printable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

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

/// What replays a side up to a call. The emulated device tells most.
std::vector<std::string> replay_of(const Side &side, size_t call,
                                   const Options &options) {
  const bool any = options.device.text == "auto";
  std::vector<std::string> words = {
      "gpuexec",
      "--server=off",
      "--device=" + (any ? "emulator" : options.device.text),
      "--timeout=" + (options.timeout ? std::to_string(*options.timeout)
                                      : std::string(SECONDS)),
      "--until-call=" + std::to_string(call + 1),
      "--replay=" + side.path};
  if (!options.jit_cache.empty())
    words.push_back("--jit-cache=" + options.jit_cache);
  if (!options.emulator_threads.empty())
    words.push_back("--emulator-threads=" + options.emulator_threads);
  return words;
}

/// Says where the program of a side was at a call. The signal that came
/// meanwhile, or 0.
int print_place(const Side &side, size_t call, const Options &options,
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
      llvm::outs() << "  " << line << "\n";
    }
  } else if (!signal) {
    const size_t error = std::max<size_t>(text.find("error: ") + 1, 1) - 1;
    llvm::outs() << "  where it was is not known: "
                 << llvm::StringRef(text).substr(error).split('\n').first
                 << "\n";
  }
  return signal;
}

int print_side(const Side &side, std::optional<size_t> call,
               const Options &options, int signal_fd) {
  if (!call || *call >= side.recording.calls().size())
    return 0;
  llvm::outs() << printable(side.path) << ": call " << *call + 1 << ": "
               << record::describe(side.recording.calls()[*call]) << "\n";
  llvm::outs().flush(); // the place takes a while
  return print_place(side, *call, options, signal_fd);
}

llvm::Expected<Side> read_side(const std::string &path) {
  llvm::Expected<Recording> recording = Recording::read(path);
  if (!recording)
    return failure(Reason::failed, "{0}",
                   llvm::toString(recording.takeError()));
  return Side{path, std::move(*recording)};
}

} // namespace

ExitResult run_comparison(const Options &options, llvm::StringRef command,
                          int signal_fd) {
  llvm::Expected<Side> first = read_side(options.compare);
  if (!first)
    return own_failure(command, first.takeError());
  llvm::Expected<Side> second = read_side(options.compare_with);
  if (!second)
    return own_failure(command, second.takeError());
  record::Comparison found =
      record::compare(first->recording, second->recording);
  for (const std::string &note : found.notes)
    llvm::outs() << "note: " << note << "\n";
  for (const record::Difference &difference : found.differences) {
    llvm::outs() << "differs: " << difference.what << "\n";
    int signal = print_side(*first, difference.first, options, signal_fd);
    if (!signal)
      signal = print_side(*second, difference.second, options, signal_fd);
    if (signal)
      return {status::signalled(signal), signal, /*clean=*/true};
  }
  if (found.differences.empty())
    llvm::outs() << llvm::formatv("no difference in {0} calls\n",
                                  second->recording.calls().size());
  // 1 has a meaning here: it is not the status of a full disk.
  if (!finish_standard_streams(command))
    return {status::Failed, 0, /*clean=*/true, /*ours=*/true};
  return {found.differences.empty() ? SAME : DIFFERENT, 0, /*clean=*/true};
}

} // namespace gpuexec
