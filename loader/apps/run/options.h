//===-- loader/apps/run/options.h - The command line of a run ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec [run] [options] IMAGE [args...]`: all arguments after the image
// belong to the program. The table of options is options.def. Parsing opens no
// file and changes no state.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_APPS_RUN_OPTIONS_H
#define GPUEXEC_LOADER_APPS_RUN_OPTIONS_H

#include "loader/apps/apps.h"
#include "loader/process/options.h"

namespace gpuexec {

/// Parses the words behind gpuexec's name and `command`, which is run, replay
/// or compare. `environment`: the process's, null-terminated; it has defaults
/// of options, and the program gets it. The strings must outlive the result.
/// Errors are Failures that name the argument.
llvm::Expected<RunOptions> parse_run_options(llvm::ArrayRef<const char *> words,
                                             const char *const *environment,
                                             llvm::StringRef command = "run");

/// What the commands run, replay and compare do.
ExitResult start_run(const Call &call);

} // namespace gpuexec

#endif
