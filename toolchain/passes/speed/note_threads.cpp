//===-- toolchain/passes/speed/note_threads.cpp - Who looks at threads ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the modules of a program that can see how its threads are divided into
// blocks and waves: those that read a thread's number in its block, exchange
// values between lanes, share memory in a block, or have kernels or assembly of
// their own. The C library is compiled without this pass: it works with every
// division.
//===----------------------------------------------------------------------===//
#include "gpu/one_thread.h"
#include "toolchain/passes/passes.h"
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// LDS, which the threads of a block share.
constexpr unsigned SHARED = 3;

/// Is the intrinsic's result the same for every division of threads?
bool is_plain(const IntrinsicInst &call) {
  if (!call.getCalledFunction()->getName().starts_with("llvm.amdgcn."))
    return true;
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_s_memtime:
  case Intrinsic::amdgcn_s_memrealtime:
  case Intrinsic::amdgcn_s_sleep:
  case Intrinsic::amdgcn_rcp:
  case Intrinsic::amdgcn_rsq:
  case Intrinsic::amdgcn_fract:
  case Intrinsic::amdgcn_class:
    return true;
  default:
    return false;
  }
}

/// Is it a scope of memory order that covers only the threads of a block or a
/// wave?
bool is_narrow(SyncScope::ID scope, ArrayRef<StringRef> names) {
  return names[scope].starts_with("workgroup") ||
         names[scope].starts_with("wavefront");
}

bool sees_threads(const Instruction &instruction, ArrayRef<StringRef> scopes) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return !is_plain(*call);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
      return !assembly->getAsmString().empty();
  std::optional<SyncScope::ID> scope = getAtomicSyncScopeID(&instruction);
  return scope && is_narrow(*scope, scopes);
}

bool sees_threads(const Module &module) {
  if (!module.getModuleInlineAsm().empty())
    return true;
  for (const GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == SHARED)
      return true;
  SmallVector<StringRef> scopes;
  module.getContext().getSyncScopeNames(scopes);
  for (const Function &function : module) {
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL)
      return true;
    for (const Instruction &instruction : instructions(function))
      if (sees_threads(instruction, scopes))
        return true;
  }
  return false;
}

} // namespace

PreservedAnalyses gpuexec::note_threads(Module &module,
                                        ModuleAnalysisManager &) {
  if (sees_threads(module))
    module.addModuleFlag(Module::Max, SEES_THREADS, 1);
  return PreservedAnalyses::all();
}
