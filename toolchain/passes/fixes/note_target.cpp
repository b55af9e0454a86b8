//===-- toolchain/passes/fixes/note_target.cpp - Which GPU a program is for ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang writes the GPU to each function of a program. Start-up code and the
// libraries do not have it: they are for every GPU. When the program's own
// functions are gone, inlined into start-up code, nobody could say how the
// stack counts (stack_counts_by_lane): so kernels get the program's GPU.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::note_target(Module &module,
                                       ModuleAnalysisManager &) {
  constexpr const char CPU[] = "target-cpu", FEATURES[] = "target-features";
  const Function *known = nullptr;
  for (const Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(CPU)) {
      known = &function;
      break;
    }
  if (!known)
    return PreservedAnalyses::all();
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL &&
        !function.hasFnAttribute(CPU)) {
      function.addFnAttr(known->getFnAttribute(CPU));
      if (known->hasFnAttribute(FEATURES))
        function.addFnAttr(known->getFnAttribute(FEATURES));
    }
  return PreservedAnalyses::none();
}
