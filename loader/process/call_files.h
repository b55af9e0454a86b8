//===-- loader/process/call_files.h - What the options name -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reports that are written, and the directories of --dir. One call of
// gpuexec opens each of them once, by its name, before any program runs. Each
// run of --repeat is a process of its own and gets the descriptors: a program
// cannot have the next run open something else by the same name.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_CALL_FILES_H
#define GPUEXEC_LOADER_PROCESS_CALL_FILES_H

#include "loader/process/options.h"
#include "loader/process/report_file.h"

namespace gpuexec {

struct CallFiles {
  ReportFile timings, stats_json, trace, junit;
  ReportFile record; ///< also of --record-standalone
  std::vector<rpc::SandboxDirectory> directories; ///< open

  /// Opens them all, or takes the descriptors that RunOptions::handles lists.
  /// In a sandbox, fails where a program could redirect what is opened, or
  /// could change what gpuexec executes or relies on. Errors: Failure.
  static llvm::Expected<CallFiles> open(const RunOptions &options);

  /// What a run that this process starts inherits.
  struct Handles {
    std::string text; ///< the value of --handles
    std::vector<int> descriptors;
  };
  Handles handles() const;

private:
  llvm::Error open_directories(const RunOptions &options,
                               ProgramFolders &folders);
  llvm::Error open_reports(const RunOptions &options,
                           const ProgramFolders &folders);
  llvm::Error take_handles(const RunOptions &options);
};

} // namespace gpuexec

#endif // GPUEXEC_LOADER_PROCESS_CALL_FILES_H
