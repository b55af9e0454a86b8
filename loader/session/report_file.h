//===-- loader/session/report_file.h - Where a report goes ------*- C++ -*-===//
// A file that the user named and that is written when the program has ended. It
// is opened before the program runs: what the program makes of the name
// meanwhile, a symbolic link say, changes nothing.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_REPORT_FILE_H
#define GPUEXEC_LOADER_SESSION_REPORT_FILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec {

class ReportFile {
public:
  ReportFile() = default; ///< none was asked for
  /// Creates the file if need be; what is in it stays until write(). Failure
  /// 125 with the path and the reason.
  static llvm::Expected<ReportFile> open(const std::string &path);
  ReportFile(ReportFile &&other);
  ReportFile &operator=(ReportFile &&other);
  ~ReportFile();

  explicit operator bool() const { return fd >= 0; }
  /// Replaces what is in the file. Trouble is reported as `command`'s, and the
  /// answer is false.
  bool write(llvm::StringRef command, llvm::StringRef text) const;
  /// A name by which write() must still be able to open the file, or nothing.
  std::string late_name() const;

private:
  /// errno or 0.
  int replace_content(int to, llvm::StringRef text) const;
  std::string path;
  int fd = -1;
  bool late = false;   ///< a FIFO without a reader: only its place is open
  bool linked = false; ///< a regular file that has a name
};

} // namespace gpuexec

#endif
