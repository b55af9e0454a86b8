//===-- toolchain/passes/language/prepare_thread_locals.cpp - For the link ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This pass runs first in clang, in files with thread-local variables. The
// linker takes from libc.a only what bitcode refers to before the optimiser
// runs; lower_thread_locals, which runs later, cannot add references. So this
// pass makes the file refer to the functions that allocate and free the
// variables (libc-shim/abi/thread_locals.c).
//
// For AMD clang 22 passes llvm.threadlocal.address a cast of the variable to a
// generic pointer. LLVM's verifier, which runs at the link, requires the
// variable itself. This pass moves the cast after the call.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

void move_cast(CallInst &call) {
  Value *variable = call.getArgOperand(0)->stripPointerCasts();
  if (variable == call.getArgOperand(0))
    return;
  IRBuilder<> builder(&call);
  Value *address = builder.CreateThreadLocalAddress(variable);
  call.replaceAllUsesWith(builder.CreateAddrSpaceCast(address, call.getType()));
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::prepare_thread_locals(Module &module,
                                                 ModuleAnalysisManager &) {
  if (none_of(module.globals(), [](const GlobalVariable &variable) {
        return variable.isThreadLocal();
      }))
    return PreservedAnalyses::all();
  for (Function &function : make_early_inc_range(module))
    if (function.getIntrinsicID() == Intrinsic::threadlocal_address)
      for (User *user : make_early_inc_range(function.users()))
        move_cast(*cast<CallInst>(user));
  appendToCompilerUsed(
      module,
      {cast<Function>(
          runtime_function(module, Runtime::begin_thread_locals).getCallee())});
  return PreservedAnalyses::none();
}
