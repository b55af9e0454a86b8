//===-- toolchain/passes/shared/returned_values.cpp -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marking the calls musttail would also keep the attributor from its mistake,
// but InformationCache in LLVM 22 follows musttail calls from function to
// function while it holds a reference into a table that grows, and reads freed
// memory.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/returned_values.h"
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <memory>

using namespace llvm;

namespace {

/// Hides values: stores each to a variable that the module does not define,
/// loads it again, and uses the load in place of the value. The attributor may
/// still take the load before a return for the result of the function's calls
/// of itself, although the load does not dominate their uses. The only use of a
/// call's result is then its store, and restore() erases such a replacement
/// together with the store.
class ReturnedValues {
public:
  void hide(Module &module) {
    for (Function &function : module)
      hide_returns(function);
    const CallGraph graph(module);
    for (auto i = scc_begin(&graph); !i.isAtEnd(); ++i)
      if (i.hasCycle()) {
        SmallPtrSet<const Function *, 8> cycle;
        for (const CallGraphNode *node : *i)
          cycle.insert(node->getFunction());
        for (const CallGraphNode *node : *i)
          if (Function *function = node->getFunction())
            hide_calls(*function, cycle);
      }
  }

  void restore() {
    for (auto &[call, stored, loaded] : hidden) {
      auto *store = cast_or_null<StoreInst>(stored);
      auto *load = cast_or_null<LoadInst>(loaded);
      if (!store || !load)
        continue; // a block that was removed
      // The attributor may have changed the operand of a call's store.
      Value *original = call;
      load->replaceAllUsesWith(original ? original : store->getValueOperand());
      load->eraseFromParent();
      store->eraseFromParent();
    }
    hidden.clear();
    if (unknown)
      unknown->eraseFromParent();
    unknown = nullptr;
  }

private:
  void hide_returns(Function &function) {
    for (BasicBlock &block : function) {
      auto *ret = dyn_cast<ReturnInst>(block.getTerminator());
      Value *value = ret ? ret->getReturnValue() : nullptr;
      // Nothing may stand between a musttail call and its return.
      if (!value || isa<Constant>(value) || block.getTerminatingMustTailCall())
        continue;
      auto [store, load] = hide(*value, *ret);
      ret->setOperand(0, load);
      hidden.push_back({nullptr, store, load});
    }
  }

  /// Hides the results of the calls in `function` to functions of its cycle.
  void hide_calls(Function &function,
                  const SmallPtrSetImpl<const Function *> &cycle) {
    SmallVector<CallInst *> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && !call->use_empty() && !call->isMustTailCall() &&
          call->getCalledFunction() &&
          cycle.contains(call->getCalledFunction()))
        calls.push_back(call);
    for (CallInst *call : calls) {
      auto [store, load] = hide(*call, *call->getNextNode());
      call->replaceUsesWithIf(
          load, [&](const Use &use) { return use.getUser() != store; });
      hidden.push_back({call, store, load});
    }
  }

  /// Stores and loads the value before an instruction.
  std::pair<StoreInst *, LoadInst *> hide(Value &value, Instruction &before) {
    if (!unknown)
      unknown = new GlobalVariable(
          *before.getModule(), Type::getInt8Ty(before.getContext()),
          /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
          "gpuexec.unknown", nullptr, GlobalValue::NotThreadLocal,
          global_memory);
    IRBuilder<> builder(&before);
    return {
        builder.CreateAlignedStore(&value, unknown, Align(1), true),
        builder.CreateAlignedLoad(value.getType(), unknown, Align(1), true)};
  }

  static constexpr unsigned global_memory = 1; // an address space of AMD's
  GlobalVariable *unknown = nullptr;
  struct Hidden {
    WeakVH call, store, load; ///< no call: a returned value
  };
  std::vector<Hidden> hidden;
};

/// The module on which the attributor runs; null for another pass.
Module *attributed(StringRef pass, Any unit) {
  if (pass != "AMDGPUAttributorPass")
    return nullptr;
  auto *module = any_cast<const Module *>(&unit);
  return module ? const_cast<Module *>(*module) : nullptr;
}

} // namespace

void gpuexec::hide_returned_values(PassInstrumentationCallbacks &callbacks) {
  auto values = std::make_shared<ReturnedValues>();
  callbacks.registerBeforeNonSkippedPassCallback(
      [values](StringRef pass, Any unit) {
        if (Module *module = attributed(pass, unit))
          values->hide(*module);
      });
  callbacks.registerAfterPassCallback(
      [values](StringRef pass, Any unit, const PreservedAnalyses &) {
        if (attributed(pass, unit))
          values->restore();
      },
      /*ToFront=*/true); // before a verifier
}
