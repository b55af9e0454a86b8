//===-- toolchain/passes/shared/call_cycles.cpp - See call_cycles.h -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tarjan's algorithm. Its depth-first search finds the heads too: they are the
// targets of calls to functions that are still being searched.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/call_cycles.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {

Function *direct_callee(const CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  return callee && callee->getFunctionType() == call.getFunctionType()
             ? callee
             : nullptr;
}

/// The most functions with which a pointer is compared.
constexpr size_t MOST_TARGETS = 64;

CallTargets::CallTargets(Module &module, Calls calls) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    defined[&function] = &function;
    if (calls == Calls::all && function.arg_size() && !function.isVarArg() &&
        function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                 /*IgnoreAssumeLikeCalls=*/true,
                                 /*IgnoreLLVMUsed=*/true))
      with_address[function.getFunctionType()].push_back(&function);
  }
}

ArrayRef<Function *> CallTargets::of(const CallBase &call) const {
  if (const Function *callee = direct_callee(call)) {
    const auto found = defined.find(callee);
    return found == defined.end() ? ArrayRef<Function *>()
                                  : ArrayRef(found->second);
  }
  if (!call.isIndirectCall())
    return {};
  const auto found = with_address.find(call.getFunctionType());
  return found == with_address.end() || found->second.size() > MOST_TARGETS
             ? ArrayRef<Function *>()
             : ArrayRef<Function *>(found->second);
}

namespace {

class Search {
public:
  /// `only`: the functions to search; null: all functions.
  Search(const CallTargets &targets, const SmallPtrSetImpl<Function *> *only)
      : targets(targets), only(only) {}

  void begin_at(Function &function) {
    if (is_included(function) && !numbers.contains(&function))
      visit(function);
  }

  std::vector<CallCycle> take() { return std::move(cycles); }

private:
  bool is_included(Function &function) const {
    return !function.isDeclaration() && (!only || only->contains(&function));
  }
  /// Returns the lowest number of a function on the stack that `function` can
  /// reach.
  unsigned visit(Function &function);
  void close(Function &function, bool recursive);

  const CallTargets &targets;
  const SmallPtrSetImpl<Function *> *only;
  DenseMap<Function *, unsigned> numbers;
  SmallVector<Function *> stack;
  DenseSet<Function *> on_stack, heads;
  std::vector<CallCycle> cycles;
};

unsigned Search::visit(Function &function) {
  const unsigned number = unsigned(numbers.size());
  unsigned lowest = number;
  numbers[&function] = number;
  stack.push_back(&function);
  on_stack.insert(&function);
  bool calls_itself = false;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    for (Function *callee : targets.of(*call)) {
      if (!is_included(*callee))
        continue;
      if (!numbers.contains(callee)) {
        lowest = std::min(lowest, visit(*callee));
      } else if (on_stack.contains(callee)) {
        lowest = std::min(lowest, numbers[callee]);
        heads.insert(callee);
        calls_itself |= callee == &function;
      }
    }
  }
  if (lowest == number)
    close(function, calls_itself);
  return lowest;
}

/// Takes the functions from the stack that form a component with `function`.
void Search::close(Function &function, bool recursive) {
  CallCycle cycle;
  Function *last = nullptr;
  while (last != &function) {
    last = stack.pop_back_val();
    on_stack.erase(last);
    cycle.members.insert(last);
    if (heads.contains(last))
      cycle.heads.insert(last);
  }
  if (recursive || cycle.members.size() > 1)
    cycles.push_back(std::move(cycle));
}

} // namespace

std::vector<CallCycle> find_call_cycles(Module &module,
                                        const CallTargets &targets) {
  Search search(targets, nullptr);
  for (Function &function : module)
    if (!function.hasLocalLinkage() || function.hasAddressTaken())
      search.begin_at(function);
  return search.take();
}

std::vector<CallCycle> find_call_cycles(ArrayRef<Function *> functions,
                                        const CallTargets &targets) {
  const SmallPtrSet<Function *, 16> included(functions.begin(),
                                             functions.end());
  Search search(targets, &included);
  for (Function *function : functions)
    search.begin_at(*function);
  return search.take();
}

} // namespace gpuexec
