//===-- loader/ensemble/output.h - What an instance prints ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each instance writes to files of its own, so that the outputs of two do not
// mix; they are passed on when it has ended.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_OUTPUT_H
#define GPUEXEC_LOADER_ENSEMBLE_OUTPUT_H

#include "support/descriptor.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec::ensemble {

/// One output stream of an instance.
class Output {
public:
  /// A file without a name, in $TMPDIR or /tmp. Errors: Failure.
  static llvm::Expected<Output> make_temporary();
  /// The file `path`, emptied. Errors: Failure.
  static llvm::Expected<Output> make(const std::string &path);

  int descriptor() const { return file.get(); }
  uint64_t size() const;
  /// Called when the instance has ended: keeps a short text in memory, and
  /// closes the file then.
  void settle();
  /// True if it is neither written nor in memory: a descriptor is in use.
  bool holds_file() const { return bool(file); }
  /// Writes all of it to `to`, each line behind `tag`. Returns 0 or the errno
  /// of the write or read that failed.
  int pass_on(int to, const std::string &tag);

private:
  UniqueFd file;
  std::string kept; ///< after settle(), if there is no file
};

/// Where the files of an instance are: DIR/NUMBER of --results.
class Results {
public:
  explicit Results(std::string folder) : folder(std::move(folder)) {}
  explicit operator bool() const { return !folder.empty(); }
  /// Makes the instance's folder. Errors: Failure.
  llvm::Error begin(uint64_t number) const;
  /// The name of its file stdout, stderr or exit.
  std::string path(uint64_t number, const char *name) const;
  /// Writes the file `exit`. Errors: Failure.
  llvm::Error end(uint64_t number, int status) const;

private:
  const std::string folder;
};

} // namespace gpuexec::ensemble

#endif
