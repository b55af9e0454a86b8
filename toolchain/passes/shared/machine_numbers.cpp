//===-- toolchain/passes/shared/machine_numbers.cpp -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/machine_numbers.h"
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

/// Stores the number of `name` for those who want it.
static void tell(StringRef name, unsigned number,
                 gpuexec::NumbersByName wanted) {
  for (const auto &[wanted_name, to] : wanted)
    if (name == wanted_name)
      *to = number;
}

void gpuexec::find_instructions(const TargetSubtargetInfo &target,
                                NumbersByName wanted) {
  const TargetInstrInfo &all = *target.getInstrInfo();
  for (unsigned i = 0; i < all.getNumOpcodes(); ++i)
    tell(all.getName(i), i, wanted);
}

void gpuexec::find_registers(const TargetSubtargetInfo &target,
                             NumbersByName wanted) {
  const TargetRegisterInfo &all = *target.getRegisterInfo();
  for (unsigned i = 1; i < all.getNumRegs(); ++i)
    tell(all.getName(i), i, wanted);
}
