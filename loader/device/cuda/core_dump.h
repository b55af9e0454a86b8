//===-- loader/device/cuda/core_dump.h - Core dump of a fault ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the core dump that NVIDIA's driver writes when a kernel faults: an ELF
// file whose sections are tables of devices, multiprocessors, blocks, warps and
// lanes, as NVIDIA's cudacoredump.h lays them out. Each row belongs to a row of
// another table (sh_link: the table, sh_info: the row). Newer drivers add
// members at the ends of rows; sh_entsize is a row's size.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_CORE_DUMP_H
#define GPUEXEC_LOADER_DEVICE_CUDA_CORE_DUMP_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace gpuexec::cuda {

/// Describes where a fault was. For each place that faulted: the first thread
/// there, the number of other threads, the kind of fault, and the functions
/// with lines and callers. Each line is indented by two. Empty when the dump
/// names no thread. Error when the file, which may contain any bytes, is no
/// such dump.
llvm::Expected<std::string> describe_core_dump(llvm::MemoryBufferRef dump);

} // namespace gpuexec::cuda

#endif
