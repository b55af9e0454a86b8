//===-- loader/process/report_file.h - Where a report goes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that the user named, and that is written when the program has ended or
// while it runs. It is opened before the program runs, so that the program
// cannot redirect the report by replacing the file, say with a symbolic link.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_REPORT_FILE_H
#define GPUEXEC_LOADER_PROCESS_REPORT_FILE_H

#include "loader/process/program_folders.h"
#include "support/descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <sys/stat.h>

namespace gpuexec {

class ReportFile {
public:
  ReportFile() = default; ///< none was asked for
  /// Creates the file if need be, with `mode`; its content stays until write().
  /// In one of `folders` only a regular file that has no other name is opened.
  /// Errors: Failure with the path and the reason.
  static llvm::Expected<ReportFile>
  open(const std::string &path, const ProgramFolders &folders, mode_t mode);
  /// Takes over a file that another process has opened in this way.
  static llvm::Expected<ReportFile> take(const std::string &path, UniqueFd fd);

  explicit operator bool() const { return bool(fd); }
  int descriptor() const { return fd.get(); }
  /// Replaces the file's content. On an error, and when the file does not have
  /// its name any more, returns false, after a message on standard error that
  /// begins with `command`.
  bool write(llvm::StringRef command, llvm::StringRef text) const;
  /// A descriptor for a report that is written while the program runs, at the
  /// beginning of the file; `empties`: the file is emptied first. Opening a
  /// FIFO waits for its reader. Errors: Failure.
  llvm::Expected<UniqueFd> stream(bool empties) const;
  /// True if the file still has its name: what was written can be found there.
  /// Otherwise false, after a message as of write().
  bool check_name(llvm::StringRef command) const;
  /// The name that write() will open, which a sandbox must permit; empty when
  /// the file is open already.
  std::string late_name() const;
  /// True if the name leads to this file.
  bool is(const std::string &name) const;

private:
  /// errno or 0.
  int replace_content(int to, llvm::StringRef text) const;
  /// Prints the error `reason`, after the path; returns false.
  bool say(llvm::StringRef command, const std::string &reason) const;
  std::string path;
  UniqueFd fd;
  bool late = false;   ///< a FIFO without a reader: opened with O_PATH
  bool linked = false; ///< a regular file that has a name
  std::string name;    ///< of the file; `path` may name a descriptor
};

} // namespace gpuexec

#endif
