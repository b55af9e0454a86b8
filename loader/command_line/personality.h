//===-- loader/command_line/personality.h - Which loader we are -*- C++ -*-===//
// Installed also under the names of LLVM's loaders, gpuexec behaves as they do
// where that differs (llvm-gpu-abi.md 4.3, 4.8): their own failures are status
// 1, whatever they were.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_PERSONALITY_H
#define GPUEXEC_LOADER_COMMAND_LINE_PERSONALITY_H

#include "llvm/ADT/StringRef.h"

namespace gpuexec {

struct Personality {
  llvm::StringRef command = "gpuexec"; ///< how messages begin
  bool llvm = false;                   ///< one of LLVM's loaders

  /// From argv[0], which must outlive the result.
  static Personality from_command(llvm::StringRef argv0);
  /// The exit status for a failure of ours that is `status` under our own name.
  int failure_status(int status) const;
};

} // namespace gpuexec

#endif
