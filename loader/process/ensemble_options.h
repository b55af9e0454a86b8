//===-- loader/process/ensemble_options.h - --ensemble ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the command line says of an ensemble: many runs of one program, each
// with words of its own (loader/ensemble/). Texts in which `{}` stands for such
// words are kept as they were given.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_ENSEMBLE_OPTIONS_H
#define GPUEXEC_LOADER_PROCESS_ENSEMBLE_OPTIONS_H

#include <string>

namespace gpuexec {

/// When an ensemble ends before its last instance has been started.
struct Halt {
  enum class When {
    never,
    soon, ///< instances that run go on to their end
    now,  ///< they are ended
  };
  enum class Counts { failed, succeeded, done };
  When when = When::never;
  Counts counts = Counts::failed;
  double limit = 1;        ///< so many instances, or percent of all
  bool is_percent = false; ///< what `limit` is
};

struct EnsembleOptions {
  bool is_wanted = false;
  /// An option that only ensembles have, when one was given: for an error.
  std::string option;
  std::string file; ///< has a command line a line; "-": standard input
  double jobs = 0;  ///< at a time; 0: as many as suit the device
  bool jobs_are_percent = false; ///< of the processors
  bool keep_order = false, tag = false, dry_run = false;
  bool resume = false, resume_failed = false;
  std::string joblog, results;
  std::string working_directory, input; ///< with placeholders; "": none
  Halt halt;
};

} // namespace gpuexec

#endif
