//===-- loader/command_line/options.h - gpuexec's options -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec [run] [options] IMAGE [args...]`: all arguments after the image
// belong to the program. The table of options is options.td. Parsing opens no
// file and changes no state.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_OPTIONS_H
#define GPUEXEC_LOADER_COMMAND_LINE_OPTIONS_H

#include "lending/transport/credentials.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/messages.h"
#include "loader/program/contract.h"
#include "rpc/server.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

struct Options : LaunchOptions {
  enum class Action {
    run,
    help,
    brief_help,
    version,
    list_devices,
    register_programs,
    print_registration,
    unregister_programs,
    complete
  };
  Action action = Action::run;
  std::string completion_prefix; ///< for Action::complete

  const char *image = nullptr;         ///< as given; `-` = standard input
  std::vector<const char *> arguments; ///< after the image
  std::vector<const char *> own;       ///< gpuexec's own, before the image

  DeviceRequest device;
  std::string server;          ///< as lending::DeviceSettings::server
  CredentialFiles credentials; ///< as lending::DeviceSettings::credentials
  bool no_parallelism = false;

  std::optional<double> timeout; ///< seconds
  std::optional<uint64_t> repeat;
  /// Descriptors that the gpuexec which repeats a run has opened for it, as
  /// "OPTION=NUMBER,...", or "" (loader/process/call_files.h).
  std::string handles;
  bool until_fail = false;
  std::string junit;

  bool print_resource_usage = false, verbose = false;
  bool quiet = false; ///< no warnings and notes
  Colour colour = Colour::automatic;
  bool json = false; ///< of Action::list_devices
  std::string timings, trace;
  bool rpc_stats = false;
  bool fault_report = false;
  bool stats = false;
  std::string check, stats_json, emulator_threads;
  std::string jit_cache; ///< folder, "off", or "": the default

  std::string record; ///< where the recording goes
  /// `record` is to be an executable that replays itself; the same name, or "".
  std::string record_standalone;
  bool record_without_environment = false;
  bool record_schedule = false;
  std::optional<uint64_t> schedule_seed; ///< of record_schedule
  bool replay_schedule = true;           ///< repeats a recorded schedule
  std::string replay;                    ///< the recording to replay
  std::optional<uint64_t> until_call;    ///< of `replay`, from 1 on
  std::string replay_live;           ///< the recording with the image to run
  std::string compare, compare_with; ///< two recordings

  bool sandbox = false, sandbox_weak = false;
  /// --sandbox, and only on a device that it puts into a process of its own.
  bool isolate = false;
  std::vector<rpc::SandboxDirectory> directories;
  std::vector<std::string> services;
  std::vector<const char *> environment; ///< NAME or NAME=VALUE, as given
};

/// Parses `argv`, which contains neither gpuexec's name nor the command's. The
/// command is run, replay or compare.
/// `default_device`: value of `--device` when it is not given (from
/// GPUEXEC_DEVICE), or null. The strings must outlive the result. Errors are
/// Failures that name the argument.
llvm::Expected<Options> parse_options(llvm::ArrayRef<const char *> argv,
                                      const char *default_device,
                                      Command command = Command::run);

/// The program's environment: `ours` (null-terminated), unless it runs in a
/// sandbox, changed by the --env options. The strings of both arguments must
/// outlive the result.
std::vector<const char *> program_environment(const Options &options,
                                              const char *const *ours);

/// Prints the text of --help, of gpuexec or of one of its commands that runs
/// programs of GPUs. `name`: what gpuexec was started as.
void print_help(llvm::raw_ostream &os, llvm::StringRef name,
                std::optional<Command> command = std::nullopt);

/// Prints the text of -h: the options that matter most, one line each.
void print_brief_help(llvm::raw_ostream &os, llvm::StringRef name);

/// Lines "--name=\thelp" for all spellings of options that begin with `prefix`.
std::vector<std::string> complete_option(llvm::StringRef prefix);

} // namespace gpuexec

#endif
