//===-- emulator/ptx/host/regions.h - A kernel cut at meetings -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// abi.h says what regions, meetings and slots are.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_HOST_REGIONS_H
#define GPUEXEC_EMULATOR_PTX_HOST_REGIONS_H

#include "emulator/ptx/host/abi.h"
#include "llvm/IR/Function.h"
#include <vector>

namespace gpuexec::ptx::host {

/// What became of a kernel.
struct Cut {
  std::vector<llvm::Function *> regions;
  std::vector<Meeting> meetings;
  uint32_t capacity = 0, slot_bytes = 0, uniform_bytes = 0, frame_bytes = 0;
};

/// Makes the regions of `kernel`, which takes no arguments, calls no function
/// with a body and is fit for the host. The kernel is changed, and useless
/// afterwards. `most_threads`: of its blocks.
Cut cut_kernel(llvm::Function &kernel, uint32_t most_threads);

/// The function of names.h and prepare.h that `value` calls without arguments;
/// "" if it is no such call.
llvm::StringRef number_called(const llvm::Value *value);

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_REGIONS_H
