//===-- loader/process/repeat.cpp - The same program again ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/repeat.h"
#include "loader/command_line/messages.h"
#include "loader/process/call_files.h"
#include "loader/process/own_run.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace gpuexec {
namespace {

/// The command line of one run: ours without the options that repeat. `handles`
/// must outlive it.
std::vector<const char *> arguments_of_a_run(const RunOptions &options,
                                             const std::string &handles) {
  std::vector<const char *> arguments = {"gpuexec"};
  for (size_t i = 0; i < options.own.size(); ++i) {
    llvm::StringRef name = options.own[i];
    name = name.ltrim('-');
    if (name == "until-fail")
      continue;
    if (name.starts_with("repeat") || name.starts_with("junit")) {
      i += !name.contains('='); // its value is the next word
      continue;
    }
    arguments.push_back(options.own[i]);
  }
  if (!handles.empty())
    arguments.push_back(handles.c_str());
  arguments.push_back("--");
  arguments.push_back(options.job.image.c_str());
  for (const std::string &argument : options.job.arguments)
    arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  return arguments;
}

/// The sum of all runs so far.
struct Tally {
  uint64_t runs = 0, failed = 0;
  int first_failure = 0;          ///< the status of the first that failed
  int signal = 0;                 ///< came during a run, which is not counted
  std::vector<RunResult> results; ///< when they are collected
};

/// Runs the program `times`, or until a run fails or a signal comes.
llvm::Error run_all(const RunOptions &options,
                    const CallFiles::Handles &handles, uint64_t times,
                    int signal_fd, Tally &tally) {
  const std::string option =
      handles.text.empty() ? "" : "--handles=" + handles.text;
  std::vector<const char *> arguments = arguments_of_a_run(options, option);
  const bool collect = !options.junit.empty();
  // Every run reads the same input, where it can be read again.
  off_t input = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  while (tally.runs < times) {
    if (input >= 0 && tally.runs)
      ::lseek(STDIN_FILENO, input, SEEK_SET);
    RunResult result;
    auto begin = std::chrono::steady_clock::now();
    OwnRun run = start_own_run(
        arguments, collect ? OwnOutput::collected : OwnOutput::shown,
        result.output, result.error_output, handles.descriptors);
    if (run.failure)
      return failure(Reason::failed, "cannot start a run: {0}",
                     std::strerror(run.failure));
    result.status = finish_own_run(run, signal_fd, tally.signal);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    if (tally.signal)
      break;
    ++tally.runs;
    int status = result.status;
    if (collect)
      tally.results.push_back(std::move(result));
    if (status == 0)
      continue;
    ++tally.failed;
    if (!tally.first_failure)
      tally.first_failure = status;
    // Ctrl-C reaches the runs as well as us.
    if (options.until_fail || status == status::signalled(SIGINT))
      break;
  }
  return llvm::Error::success();
}

} // namespace

bool wants_runs(const RunOptions &options) {
  return options.repeat || options.until_fail || !options.junit.empty();
}

ExitResult run_repeatedly(const RunOptions &options, llvm::StringRef command,
                          int signal_fd) {
  uint64_t times = options.repeat.value_or(options.until_fail ? UINT64_MAX : 1);
  llvm::Expected<CallFiles> files = CallFiles::open(options);
  if (!files)
    return own_failure(command, files.takeError());
  if (times > 1 && options.job.image == "-")
    return own_failure(command,
                       failure(Reason::failed, "-: an image on standard input "
                                               "can be run only once"));
  Tally tally;
  if (llvm::Error error =
          run_all(options, files->handles(), times, signal_fd, tally))
    return own_failure(command, std::move(error));
  if (times > 1)
    say_error(llvm::formatv("{0}: {1}: {2} of {3} runs failed{4}\n", command,
                            options.job.image, tally.failed, tally.runs,
                            tally.first_failure
                                ? ", the first with: " +
                                      describe_status(tally.first_failure)
                                : std::string())
                  .str());
  const ReportFile &junit = files->junit;
  bool reported = !junit || junit.write(command, junit_xml(options.job.image,
                                                           tally.results));
  if (tally.signal)
    return {status::signalled(tally.signal), tally.signal, false};
  if (!reported && !tally.first_failure)
    return {status::Failed, 0, /*clean=*/true, /*ours=*/true};
  return {tally.first_failure, 0, true};
}

} // namespace gpuexec
