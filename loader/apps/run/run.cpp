//===-- loader/apps/run/run.cpp - gpuexec run, replay and compare ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/last_resort.h"
#include "loader/apps/run/device_list.h"
#include "loader/apps/run/options.h"
#include "loader/apps/run/signals.h"
#include "loader/apps/run/version.h"
#include "loader/binfmt/binfmt.h"
#include "loader/ensemble/ensemble.h"
#include "loader/process/comparison.h"
#include "loader/process/process.h"
#include "loader/process/repeat.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace gpuexec {
namespace {

using Action = RunOptions::Action;

void list_devices(const RunOptions &options, llvm::StringRef command) {
  const std::vector<DeviceInfo> devices =
      gpuexec::list_devices([&](const llvm::Twine &text) {
        if (!options.quiet)
          print_warning(command, text);
      });
  (options.json ? print_devices_json : print_devices)(llvm::outs(), devices);
}

/// True for a word without a "/" that no file here has for its name.
bool is_no_file(const std::string &word) {
  return !word.empty() && word != "-" && word.find('/') == word.npos &&
         ::access(word.c_str(), F_OK) != 0 && errno == ENOENT;
}

/// Prints what the word may have meant that names no image.
ExitResult no_such_image(const Call &call, const std::string &word) {
  ExitResult end =
      call.end(failure(Reason::failed, "{0}: No such file or directory; {1}",
                       word, advice_for(word)));
  end.status = status::NotFound;
  return end;
}

ExitResult run_ensemble(const Call &call, const RunOptions &options) {
  return ensemble::run(options,
                       {call.personality.command, catch_signals,
                        [&call](const RunOptions &given) {
                          RunOptions own = given;
                          const int signal_fd = catch_signals();
                          own.job.server.signals = program_signals();
                          return run_process(
                              own, call.personality, signal_fd,
                              std::make_shared<Phases>(Phases::Clock::now()));
                        }});
}

ExitResult run_program(const Call &call, const RunOptions &options) {
  const llvm::StringRef command = call.personality.command;
  const std::string &image = options.job.image;
  if (!call.command && !call.personality.llvm &&
      (image == call.words.front() || find_command(image)) && is_no_file(image))
    return no_such_image(call, image);
  if (options.ensemble.is_wanted)
    return run_ensemble(call, options);
  const int signal_fd = catch_signals();
  if (!options.compare.empty())
    return run_comparison(options, command, signal_fd);
  if (wants_runs(options))
    return run_repeatedly(options, command, signal_fd);
  RunOptions own = options;
  own.job.server.signals = program_signals();
  // Another gpuexec waits for a run with handles; standard input is read once.
  if (options.handles.empty() && image != "-")
    permit_run_again();
  return run_process(own, call.personality, signal_fd, call.phases);
}

/// Does what the options ask for instead of a run. Errors: Failure.
llvm::Error act(const Call &call, const RunOptions &options) {
  const llvm::StringRef command = call.personality.command;
  if (options.help && call.command)
    print_help(llvm::outs(), *call.command);
  else if (options.help)
    print_help(llvm::outs(), command);
  else if (options.brief_help)
    print_brief_help(llvm::outs(), command);
  else if (options.action == Action::version)
    print_version(llvm::outs());
  else if (options.action == Action::list_devices)
    list_devices(options, command);
  else if (options.action == Action::register_programs)
    return binfmt::register_programs(llvm::outs());
  else if (options.action == Action::unregister_programs)
    return binfmt::unregister_programs(llvm::outs());
  else if (options.action == Action::print_registration) {
    if (std::string problem = binfmt::distrust_interpreter(); !problem.empty())
      print_warning(command, "--register=print: " + problem);
    return binfmt::print_registration(llvm::outs());
  }
  return llvm::Error::success();
}

} // namespace

ExitResult start_run(const Call &call) {
  llvm::Expected<RunOptions> options = parse_run_options(
      call.arguments(), environ, call.command ? call.command->name : "run");
  if (!options)
    return call.end(options.takeError());
  colour_messages(options->colour);
  const bool runs =
      options->action == Action::run && !options->help && !options->brief_help;
  return runs ? run_program(call, *options) : call.end(act(call, *options));
}

} // namespace gpuexec
