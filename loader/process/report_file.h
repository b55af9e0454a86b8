//===-- loader/process/report_file.h - Where a report goes ------*- C++ -*-===//
// A file that the user named and that is written when the program has ended. It
// is opened before the program runs, so that the program cannot redirect the
// report by replacing the file, say with a symbolic link.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_REPORT_FILE_H
#define GPUEXEC_LOADER_PROCESS_REPORT_FILE_H

#include "support/descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec {

class ReportFile {
public:
  ReportFile() = default; ///< none was asked for
  /// Creates the file if need be; its content stays until write(). Errors:
  /// Failure with the path and the reason.
  static llvm::Expected<ReportFile> open(const std::string &path);

  explicit operator bool() const { return bool(fd); }
  /// Replaces the file's content. On an error returns false, after a message
  /// on standard error that begins with `command`.
  bool write(llvm::StringRef command, llvm::StringRef text) const;
  /// The name that write() will open, which a sandbox must permit; empty when
  /// the file is open already.
  std::string late_name() const;

private:
  /// errno or 0.
  int replace_content(int to, llvm::StringRef text) const;
  std::string path;
  UniqueFd fd;
  bool late = false;   ///< a FIFO without a reader: only its place is open
  bool linked = false; ///< a regular file that has a name
};

} // namespace gpuexec

#endif
