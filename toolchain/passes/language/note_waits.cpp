//===-- toolchain/passes/language/note_waits.cpp - Lines that wait --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a deadlock says on which line each thread waits, in programs
// compiled with -g. Before each call of a function that may wait for another
// thread forever, this pass stores the call's file and line in the thread's
// record, and clears it after the call. The return address of the function
// would not tell the line, because functions are inlined at the link.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::RecordMember;

namespace {

/// The calls of functions of the group `wait` that have a line.
SmallVector<CallInst *> find_waits(Module &module) {
  SmallVector<CallInst *> waits;
  for (StringRef name : names_of(gpuexec::RuntimeGroup::wait))
    if (Function *function = module.getFunction(name))
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallInst>(user);
            call && call->getCalledOperand() == function &&
            call->getDebugLoc() && !call->isMustTailCall())
          waits.push_back(call);
  return waits;
}

/// Strings for places in the source, each once in the module.
class Places {
public:
  explicit Places(Module &module) : module(module) {}

  /// The address, i64, of the null-terminated string "FILE:LINE".
  Constant *of(const DILocation &location) {
    const std::string text =
        (location.getFilename() + ":" + Twine(location.getLine())).str();
    Constant *&string = strings[text];
    if (!string) {
      Constant *characters =
          ConstantDataArray::getString(module.getContext(), text);
      auto *variable = new GlobalVariable(
          module, characters->getType(), /*isConstant=*/true,
          GlobalValue::PrivateLinkage, characters, "place", nullptr,
          GlobalValue::NotThreadLocal,
          module.getDataLayout().getDefaultGlobalsAddressSpace());
      string = ConstantExpr::getPtrToInt(variable,
                                         Type::getInt64Ty(module.getContext()));
    }
    return string;
  }

private:
  Module &module;
  StringMap<Constant *> strings;
};

Value *place_member(IRBuilder<> &builder) {
  return gpuexec::member(builder, gpuexec::record(builder),
                         RecordMember::place);
}

void note(CallInst &wait, Places &places) {
  wait.setTailCallKind(CallInst::TCK_None);
  IRBuilder<> builder(&wait);
  builder.CreateStore(places.of(*wait.getDebugLoc()), place_member(builder));
  builder.SetInsertPoint(wait.getNextNode());
  builder.CreateStore(builder.getInt64(0), place_member(builder));
}

/// Makes kernels clear the place in each thread's record when they begin.
void begin_kernels(Module &module) {
  for (Function &kernel : module)
    if (!kernel.isDeclaration() && gpuexec::is_kernel(kernel)) {
      IRBuilder<> builder(module.getContext());
      Value *record = gpuexec::make_record(kernel, builder);
      builder.CreateStore(
          builder.getInt64(0),
          gpuexec::member(builder, record, RecordMember::place));
    }
}

} // namespace

PreservedAnalyses gpuexec::note_waits(Module &module, ModuleAnalysisManager &) {
  Function *place = find_runtime(module, Runtime::place_of_wait);
  if (!place)
    return PreservedAnalyses::all();
  const SmallVector<CallInst *> waits = find_waits(module);
  Places places(module);
  for (CallInst *wait : waits)
    note(*wait, places);
  if (!waits.empty())
    begin_kernels(module);
  for (User *user : make_early_inc_range(place->users())) {
    auto *call = cast<CallInst>(user);
    IRBuilder<> builder(call);
    Value *address = waits.empty() ? cast<Value>(builder.getInt64(0))
                                   : builder.CreateLoad(builder.getInt64Ty(),
                                                        place_member(builder));
    call->replaceAllUsesWith(builder.CreateIntToPtr(address, call->getType()));
    call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}
