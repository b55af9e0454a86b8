//===-- loader/process/options.h - Options of a run -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of a run, a replay or a comparison: the job, and what the process
// does around it. loader/apps/run/ reads them from the command line.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_OPTIONS_H
#define GPUEXEC_LOADER_PROCESS_OPTIONS_H

#include "loader/command_line/messages.h"
#include "loader/command_line/option_table.h"
#include "loader/job/job.h"
#include "loader/process/ensemble_options.h"

namespace gpuexec {

struct RunOptions : CommandOptions {
  enum class Action {
    run,
    version,
    list_devices,
    register_programs,
    print_registration,
    unregister_programs,
  };
  Action action = Action::run;
  bool brief_help = false;

  /// Complete, but for what run_process() opens: reports, recordings and the
  /// directories of the sandbox.
  Job job;
  // Words of the command line, which outlives this:
  std::vector<const char *> own;         ///< gpuexec's options
  std::vector<const char *> environment; ///< NAME or NAME=VALUE

  bool no_parallelism = false;
  std::optional<uint64_t> repeat;
  /// Descriptors that the gpuexec which repeats a run has opened for it, as
  /// "OPTION=NUMBER,...", or "" (call_files.h).
  std::string handles;
  bool until_fail = false;
  bool rerun = false; ///< after the fault of a program that ran beside it
  std::string junit;

  bool print_resource_usage = false, verbose = false;
  bool quiet = false; ///< no warnings and notes
  Colour colour = Colour::automatic;
  bool json = false; ///< of Action::list_devices
  bool stats = false;
  std::string stats_json, timings, trace; ///< files

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

  bool sandbox_weak = false;
  EnsembleOptions ensemble;
};

} // namespace gpuexec

#endif
