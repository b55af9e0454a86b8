//===-- toolchain/passes/shared/recursive_calls.cpp -----------------------===//
// Marks the calls in front of the attributor, and puts them right behind it.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/recursive_calls.h"
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <memory>

using namespace llvm;

namespace {

/// The calls that are marked, and what they were.
class RecursiveCalls {
public:
  void mark(Module &module) {
    CallGraph graph(module);
    for (auto i = scc_begin(&graph); !i.isAtEnd(); ++i) {
      if (!i.hasCycle())
        continue;
      SmallPtrSet<const Function *, 8> cycle;
      for (CallGraphNode *node : *i)
        cycle.insert(node->getFunction());
      for (CallGraphNode *node : *i)
        if (Function *caller = node->getFunction())
          mark_calls(*caller, cycle);
    }
  }

  void restore() {
    for (auto &[value, kind] : marked)
      if (auto *call = cast_or_null<CallInst>(value))
        call->setTailCallKind(kind);
    marked.clear();
  }

private:
  /// Direct calls from `caller` to functions of its own cycle of calls.
  void mark_calls(Function &caller,
                  const SmallPtrSetImpl<const Function *> &cycle) {
    for (Instruction &instruction : instructions(caller)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || call->getType()->isVoidTy() || !call->getCalledFunction() ||
          !cycle.contains(call->getCalledFunction()))
        continue;
      marked.emplace_back(call, call->getTailCallKind());
      call->setTailCallKind(CallInst::TCK_MustTail);
    }
  }

  std::vector<std::pair<WeakVH, CallInst::TailCallKind>> marked;
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
          calls->mark(*module);
      });
  callbacks.registerAfterPassCallback(
      [calls](StringRef pass, Any unit, const PreservedAnalyses &) {
        if (attributed(pass, unit))
          calls->restore();
      },
      /*ToFront=*/true); // before a verifier
}
