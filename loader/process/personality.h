//===-- loader/process/personality.h - LLVM's loaders -----------*- C++ -*-===//
// gpuexec is also installed under the names of LLVM's loaders. Under those
// names it does what they do where that differs (llvm-gpu-abi.md 4.3, 4.8):
// every failure of the loader itself is status 1.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_PERSONALITY_H
#define GPUEXEC_LOADER_PROCESS_PERSONALITY_H

#include "llvm/ADT/StringRef.h"

namespace gpuexec {

struct Personality {
  llvm::StringRef command = "gpuexec"; ///< first word of messages
  bool llvm = false;                   ///< one of LLVM's loaders

  /// From argv[0], which must outlive the result.
  static Personality from_command(llvm::StringRef argv0);
  /// The exit status for a failure that has `status` under the name gpuexec.
  int failure_status(int status) const;
};

} // namespace gpuexec

#endif
