//===-- loader/process/exclusive.h - One program at a time ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --no-parallelism: every gpuexec with that option takes one lock, which the
// kernel releases when the process ends. It is a lock on the folder of the
// executable, as LLVM's loaders take it, so that the two wait for each other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_EXCLUSIVE_H
#define GPUEXEC_LOADER_PROCESS_EXCLUSIVE_H

#include "llvm/Support/Error.h"

namespace gpuexec {

/// Waits until nobody else holds the lock, then holds it until the process
/// ends.
llvm::Error lock_exclusively();

} // namespace gpuexec

#endif
