//===-- loader/device/free_memory.h - Free memory of the host ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_DEVICE_FREE_MEMORY_H
#define GPUEXEC_LOADER_DEVICE_FREE_MEMORY_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuexec {

/// Bytes of memory that this process can still get before the kernel ends
/// processes: what the machine has available, or what the limits of the
/// process's control groups leave, if that is less. Empty when the kernel does
/// not say. `root`: "" or, for tests, the folder that stands for "/".
std::optional<uint64_t> free_memory(llvm::StringRef root = "");

} // namespace gpuexec

#endif
