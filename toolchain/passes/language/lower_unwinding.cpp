//===-- toolchain/passes/language/lower_unwinding.cpp - Ways out ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// longjmp and throw leave several functions at once. A GPU can neither save nor
// restore a thread's stack, and has no unwinder that could read it: each of the
// functions returns instead (shared/unwinding.h), up to a setjmp
// (shared/jumps.h) or a handler (shared/exceptions.h).
//===----------------------------------------------------------------------===//
#include "gpu/one_thread.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/exceptions.h"
#include "toolchain/passes/shared/jumps.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/unwinding.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using gpuexec::Runtime;

namespace {

/// Makes ordinary calls of the calls through a pointer that must be tail calls,
/// such as that of a coroutine that goes on in another. For a program whose
/// waves may have several lanes, which may call different functions: LLVM has
/// no tail calls of these for AMD, and none at all for NVIDIA.
void make_ordinary_calls(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->isMustTailCall() && call->isIndirectCall())
        call->setTailCallKind(CallInst::TCK_None);
}

/// The functions that only this pass calls need not be kept any more.
void release(Module &module, ArrayRef<Runtime> functions) {
  removeFromUsedLists(module, [&](Constant *used) {
    return any_of(functions, [&](Runtime function) {
      return used->stripPointerCasts()->getName() == name_of(function);
    });
  });
  for (Runtime which : functions)
    if (Function *function = find_runtime(module, which);
        function && function->hasLocalLinkage() && function->use_empty())
      function->eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::lower_unwinding(Module &module,
                                           ModuleAnalysisManager &) {
  if (!module.getModuleFlag(ONE_THREAD))
    make_ordinary_calls(module);
  Function *lost = find_runtime(module, Runtime::lost_jump);
  Function *lost_exception = find_definition(module, Runtime::lost_exception);
  Unwinding unwinding(module, lost, lost_exception);
  Exceptions exceptions(module, unwinding);
  const bool throws = exceptions.begin();
  const bool jumps = add_jumps(module, unwinding);
  if (jumps && !lost) {
    module.getContext().emitError("setjmp and longjmp are not gpuexec's");
    return PreservedAnalyses::all();
  }
  if (throws)
    exceptions.lower();
  if (throws || jumps)
    unwinding.run();
  if (throws)
    exceptions.finish();
  release(module, {Runtime::free_large_variables, Runtime::large_variables});
  if (jumps)
    release(module, {Runtime::lost_jump});
  if (throws)
    release(module, {Runtime::lost_exception});
  return PreservedAnalyses::none();
}
