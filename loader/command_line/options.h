//===-- loader/command_line/options.h - What the user asked for -*- C++ -*-===//
// `gpuexec [options] IMAGE [args...]`: everything after the image is the
// program's. The table is options.td. Parsing decides nothing and touches
// nothing outside.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_OPTIONS_H
#define GPUEXEC_LOADER_COMMAND_LINE_OPTIONS_H

#include "loader/device/device.h"
#include "loader/program/contract.h"
#include "rpc/server/server.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

struct Options {
  enum class Action { run, help, version, list_devices, complete };
  Action action = Action::run;
  std::string completion_prefix; ///< for Action::complete

  const char *image = nullptr;         ///< as given; `-` = standard input
  std::vector<const char *> arguments; ///< after the image
  std::vector<const char *> own;       ///< gpuexec's own, before the image

  Grid grid;
  LaunchSettings settings;
  std::vector<std::string> kernels;
  Constructors constructors = Constructors::automatic;
  DeviceRequest device;
  bool no_parallelism = false;

  std::optional<double> timeout; ///< seconds
  std::optional<uint64_t> repeat;
  bool until_fail = false;
  std::string junit;

  bool print_resource_usage = false, verbose = false;
  std::string timings, trace;
  bool rpc_stats = false;
  bool fault_report = false;
  bool stats = false;
  std::string check, stats_json, emulator_threads;

  bool sandbox = false, sandbox_weak = false;
  /// --sandbox, and only on a device that it puts into a process of its own.
  bool isolate = false;
  std::vector<rpc::SandboxDirectory> directories;
  std::vector<std::string> services;
  std::vector<const char *> environment; ///< NAME or NAME=VALUE, as given
};

/// `argv` without the command's own name; `default_device` is what `--device`
/// is when it is not given (GPUEXEC_DEVICE), or null. The strings must outlive
/// the result. Errors: Failure 125 that names the argument.
llvm::Expected<Options> parse_options(llvm::ArrayRef<const char *> argv,
                                      const char *default_device);

/// The program's environment: all of `ours` (null-terminated), but nothing of
/// it in a sandbox, and then what --env says. The strings of both must outlive
/// it.
std::vector<const char *> program_environment(const Options &options,
                                              const char *const *ours);

/// The text of --help, for a command of that name.
void print_help(llvm::raw_ostream &os, llvm::StringRef command);

/// Every spelling of an option that begins with `prefix`, with its help, as
/// "--name=\thelp".
std::vector<std::string> complete_option(llvm::StringRef prefix);

/// "4096", "64K", "16M", "2G", "1T" in bytes.
std::optional<uint64_t> parse_size(llvm::StringRef text);

} // namespace gpuexec

#endif
