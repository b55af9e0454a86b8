//===-- toolchain/passes/shared/unwind_graph.cpp - See unwind_graph.h -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/unwind_graph.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// The function that is called, null for a call through a pointer. The types of
/// call and function may differ: C without prototypes.
const Function *callee_of(const CallBase &call) {
  return dyn_cast<Function>(
      call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// Integers and pointers are passed alike.
bool alike(const Type *a, const Type *b) {
  const auto is_word = [](const Type *type) {
    return type->isIntegerTy() || type->isPointerTy();
  };
  return a == b || (is_word(a) && is_word(b)) ||
         (a->isFloatingPointTy() && b->isFloatingPointTy());
}

/// May a call of type `call` reach a function of type `function`? Old programs
/// pass fewer arguments than a function takes, or more.
bool compatible(const FunctionType &call, const FunctionType &function) {
  const unsigned shared =
      std::min(call.getNumParams(), function.getNumParams());
  for (unsigned i = 0; i < shared; ++i)
    if (!alike(call.getParamType(i), function.getParamType(i)))
      return false;
  return true;
}

bool has_address_taken(const Function &function) {
  return function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                  /*IgnoreAssumeLikeCalls=*/true,
                                  /*IgnoreLLVMUsed=*/true);
}

/// Is it a name of <gpuexec/unavailable.h>? Nothing defines those: the linker
/// says why.
bool is_unavailable(const Function &function) {
  return function.getName().contains("_is_unavailable_") ||
         function.getName().contains(": ");
}

/// A function outside the module that one in it calls, or null. Functions that
/// nothing calls do not count: the linker takes them along with others.
const Function *find_opaque(Module &module) {
  SmallVector<const Function *> live;
  DenseSet<const Function *> seen;
  for (const Function &function : module)
    if (!function.isDeclaration() &&
        (!function.hasLocalLinkage() || function.hasAddressTaken())) {
      live.push_back(&function);
      seen.insert(&function);
    }
  while (!live.empty())
    for (const Instruction &instruction : instructions(*live.pop_back_val())) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee =
          call && !call->isInlineAsm() ? callee_of(*call) : nullptr;
      if (!callee || !seen.insert(callee).second)
        continue;
      if (!callee->isDeclaration())
        live.push_back(callee);
      else if (!callee->isIntrinsic() && !callee->hasExternalWeakLinkage() &&
               !callee->doesNotAccessMemory() && !is_unavailable(*callee))
        return callee;
    }
  return nullptr;
}

/// Does the call's landing pad take everything?
bool is_stopped(const CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke)
    return false;
  const LandingPadInst &pad = *invoke->getLandingPadInst();
  for (unsigned i = 0; i < pad.getNumClauses(); ++i)
    if (pad.isCatch(i) && isa<ConstantPointerNull>(pad.getClause(i)))
      return true;
  return false;
}

} // namespace

UnwindGraph::UnwindGraph(Module &module, ArrayRef<Function *> sources,
                         bool handlers_stop)
    : module(module) {
  if (sources.empty())
    return;
  find_callers(handlers_stop);
  for (Function *source : sources)
    add(*source);
  while (!to_visit.empty())
    for (Function *caller : callers.lookup(to_visit.pop_back_val()))
      add(*caller);
  if (is_reachable_from_outside())
    called_opaque = find_opaque(module);
}

void UnwindGraph::find_callers(bool handlers_stop) {
  for (Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm() || (handlers_stop && is_stopped(*call)))
        continue;
      const Function *callee = callee_of(*call);
      Callers &there =
          callee ? callers[callee] : pointer_callers[call->getFunctionType()];
      if (there.empty() || there.back() != &function)
        there.push_back(&function);
    }
}

void UnwindGraph::add(Function &function) {
  if (!unwinding.insert(&function).second)
    return;
  to_visit.push_back(&function);
  if (has_address_taken(function)) {
    with_address.push_back(&function);
    add_pointers_to(function);
  }
}

/// Adds the functions with calls through pointers that may reach this one.
void UnwindGraph::add_pointers_to(const Function &function) {
  Callers found;
  pointer_callers.remove_if([&](auto &of_type) {
    if (!compatible(*of_type.first, *function.getFunctionType()))
      return false;
    append_range(found, of_type.second);
    return true;
  });
  for (Function *caller : found)
    add(*caller);
}

bool UnwindGraph::is_reachable_from_outside() const {
  return !with_address.empty() ||
         any_of(unwinding, [](const Function *function) {
           return !function->hasLocalLinkage() && !function->isDeclaration() &&
                  !is_kernel(*function);
         });
}

bool UnwindGraph::may_unwind(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (const Function *callee = callee_of(call))
    return may_unwind(*callee);
  return any_of(with_address, [&](const Function *function) {
    return compatible(*call.getFunctionType(), *function->getFunctionType());
  });
}

} // namespace gpuexec
