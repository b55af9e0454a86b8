//===-- loader/session/exclusive.h - One program at a time ------*- C++ -*-===//
// --no-parallelism: a lock that every gpuexec with that option takes, and that
// the kernel gives back when the process ends, however it does. LLVM's loaders
// lock the folder that they lie in; so do we, and wait for each other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_EXCLUSIVE_H
#define GPUEXEC_LOADER_SESSION_EXCLUSIVE_H

#include "llvm/Support/Error.h"

namespace gpuexec {

/// Waits until nobody else holds the lock, then holds it until the process
/// ends.
llvm::Error lock_exclusively();

} // namespace gpuexec

#endif
