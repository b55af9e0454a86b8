//===-- loader/cache/cache.h - gpuexec cache --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_CACHE_CACHE_H
#define GPUEXEC_LOADER_CACHE_CACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuexec::cache {

/// `gpuexec cache`: shows what gpucc and the emulator keep on disk, or clears
/// it. `argv` is what follows. Standard output is not flushed. Errors: Failure,
/// also for a folder that another user owns or can write.
llvm::Error run(llvm::ArrayRef<const char *> argv);

} // namespace gpuexec::cache

#endif
