//===-- loader/device/cuda/core_dump.h - What a fault left ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the core dump that NVIDIA's driver writes when a kernel faults: an ELF
// file whose sections are tables of devices, multiprocessors, blocks, warps and
// lanes, each row below one of another table (sh_link: the table, sh_info: the
// row), as NVIDIA's cudacoredump.h lays them out. Rows grow at their ends from
// driver to driver; sh_entsize says how long they are.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_CORE_DUMP_H
#define GPUEXEC_LOADER_DEVICE_CUDA_CORE_DUMP_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace gpuexec::cuda {

/// Where the fault was: for each different place the first thread that met it,
/// how many more did, what it was, and the functions, lines and callers, each
/// line indented by two; empty when the dump names no thread. Error when it is
/// no such dump. The file may contain any bytes.
llvm::Expected<std::string> describe_core_dump(llvm::MemoryBufferRef dump);

} // namespace gpuexec::cuda

#endif
