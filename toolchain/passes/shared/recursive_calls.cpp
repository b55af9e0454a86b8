//===-- toolchain/passes/shared/recursive_calls.cpp -----------------------===//
// Hides what recursive functions return in front of the attributor, and undoes
// that right behind it. musttail calls would do too, but InformationCache in
// LLVM 22 follows them from function to function while it holds a reference
// into a table that grows: it then reads freed memory.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/recursive_calls.h"
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <memory>

using namespace llvm;

namespace {

/// The returns that are hidden: each value is stored to a variable that the
/// module does not define, loaded again, and the result is returned. Nothing
/// follows that load but the return, so it cannot take another value's place.
class RecursiveCalls {
public:
  void hide(Module &module) {
    const CallGraph graph(module);
    for (auto i = scc_begin(&graph); !i.isAtEnd(); ++i)
      if (i.hasCycle())
        for (const CallGraphNode *node : *i)
          if (Function *function = node->getFunction())
            hide_returns(*function);
  }

  void restore() {
    for (auto &[stored, loaded] : hidden) {
      auto *store = cast_or_null<StoreInst>(stored);
      auto *load = cast_or_null<LoadInst>(loaded);
      if (!store || !load)
        continue; // a block that was removed
      load->replaceAllUsesWith(store->getValueOperand());
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
      if (!unknown)
        unknown = new GlobalVariable(
            *function.getParent(), Type::getInt8Ty(function.getContext()),
            /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
            "gpuexec.unknown", nullptr, GlobalValue::NotThreadLocal,
            global_memory);
      IRBuilder<> builder(ret);
      StoreInst *store =
          builder.CreateAlignedStore(value, unknown, Align(1), true);
      LoadInst *load =
          builder.CreateAlignedLoad(value->getType(), unknown, Align(1), true);
      ret->setOperand(0, load);
      hidden.emplace_back(store, load);
    }
  }

  static constexpr unsigned global_memory = 1; // an address space of AMD's
  GlobalVariable *unknown = nullptr;
  std::vector<std::pair<WeakVH, WeakVH>> hidden; // stores and loads
};

/// The module on which the attributor runs; null for another pass.
Module *attributed(StringRef pass, Any unit) {
  if (pass != "AMDGPUAttributorPass")
    return nullptr;
  auto *module = any_cast<const Module *>(&unit);
  return module ? const_cast<Module *>(*module) : nullptr;
}

} // namespace

void gpuexec::protect_recursive_calls(PassInstrumentationCallbacks &callbacks) {
  auto calls = std::make_shared<RecursiveCalls>();
  callbacks.registerBeforeNonSkippedPassCallback(
      [calls](StringRef pass, Any unit) {
        if (Module *module = attributed(pass, unit))
          calls->hide(*module);
      });
  callbacks.registerAfterPassCallback(
      [calls](StringRef pass, Any unit, const PreservedAnalyses &) {
        if (attributed(pass, unit))
          calls->restore();
      },
      /*ToFront=*/true); // before a verifier
}
