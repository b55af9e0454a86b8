//===-- toolchain/passes/shared/machine_numbers.h ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's numbers of AMD instructions and registers, found by name: LLVM
// installs no header with them. They are the same for all AMD GPUs, and none of
// them is 0.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_MACHINE_NUMBERS_H
#define GPUEXEC_TOOLCHAIN_MACHINE_NUMBERS_H

#include <initializer_list>
#include <llvm/ADT/StringRef.h>
#include <utility>

namespace llvm {
class TargetSubtargetInfo;
}

namespace gpuexec {

/// Names as LLVM has them ("S_ADD_U32", "SCC"), and where to store the number
/// of each. What LLVM does not know keeps its number.
using NumbersByName =
    std::initializer_list<std::pair<llvm::StringRef, unsigned *>>;

void find_instructions(const llvm::TargetSubtargetInfo &target,
                       NumbersByName wanted);
void find_registers(const llvm::TargetSubtargetInfo &target,
                    NumbersByName wanted);

} // namespace gpuexec

#endif
