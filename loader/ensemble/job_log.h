//===-- loader/ensemble/job_log.h - GNU parallel's job log ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line for each instance that has ended and whose output has been written, so
// that a later call can go on with the others. Each line is written at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_JOB_LOG_H
#define GPUEXEC_LOADER_ENSEMBLE_JOB_LOG_H

#include "support/descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace gpuexec::ensemble {

/// How an instance ended: with a status, or by a signal if that is not 0.
struct End {
  int status = 0, signal = 0;
  bool is_success() const { return status == 0 && signal == 0; }
  /// As a shell has it.
  int shell_status() const { return signal ? 128 + signal : status; }
};

struct LogLine {
  uint64_t number;       ///< of the instance
  double start, seconds; ///< since 1970; how long it ran
  uint64_t output_bytes; ///< that it has written to standard output
  End end;
  std::string command; ///< one line
};

class JobLog {
public:
  /// An instance that an earlier call has run.
  struct Earlier {
    End end;
    std::string command;
  };

  /// Opens the file. `resumes`: reads it and adds to it; a last line that was
  /// not written to its end is removed. Otherwise begins anew. Errors: Failure
  /// with the path, and the line that is none of a job log.
  static llvm::Expected<JobLog> open(const std::string &path, bool resumes);
  /// By the instance's number; of several lines the last.
  const std::map<uint64_t, Earlier> &earlier() const { return before; }
  llvm::Error write(const LogLine &line);

private:
  llvm::Error read(llvm::StringRef text);
  std::string path;
  UniqueFd file;
  std::map<uint64_t, Earlier> before;
};

} // namespace gpuexec::ensemble

#endif
