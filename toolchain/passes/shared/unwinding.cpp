//===-- toolchain/passes/shared/unwinding.cpp - See unwinding.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/unwinding.h"
#include "toolchain/passes/shared/lifetimes.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

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
               !callee->doesNotAccessMemory())
        return callee;
    }
  return nullptr;
}

} // namespace

Jumpers::Jumpers(Module &module, ArrayRef<Function *> sources)
    : module(module) {
  for (Function *source : sources) {
    jumpers.insert(source);
    if (has_address_taken(*source))
      jumpers_with_address.push_back(source);
  }
  if (sources.empty())
    return;
  for (size_t before = 0; before != jumpers.size();) {
    before = jumpers.size();
    find_callers();
  }
  const bool reachable =
      !jumpers_with_address.empty() || any_of(jumpers, [](const Function *f) {
        return !f->hasLocalLinkage() && !f->isDeclaration() && !is_kernel(*f);
      });
  if (reachable)
    called_opaque = find_opaque(module);
}

/// Adds the functions that call one of those found so far.
void Jumpers::find_callers() {
  for (Function &function : module) {
    if (jumpers.contains(&function))
      continue;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && may_jump(*call)) {
        jumpers.insert(&function);
        if (has_address_taken(function))
          jumpers_with_address.push_back(&function);
        break;
      }
  }
}

bool Jumpers::pointer_may_jump(const CallBase &call) const {
  return any_of(jumpers_with_address, [&](const Function *function) {
    return compatible(*call.getFunctionType(), *function->getFunctionType());
  });
}

bool Jumpers::may_jump(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (const Function *callee = callee_of(call))
    return may_jump(*callee);
  return pointer_may_jump(call);
}

//===-- Returns -----------------------------------------------------------===//

namespace {

AttributeMask promises_about_results() {
  AttributeMask mask;
  for (Attribute::AttrKind kind :
       {Attribute::NoUndef, Attribute::NonNull, Attribute::NoAlias,
        Attribute::Dereferenceable, Attribute::DereferenceableOrNull,
        Attribute::Alignment, Attribute::Range, Attribute::NoFPClass})
    mask.addAttribute(kind);
  return mask;
}

/// A function that jumps returns where it said that it would not, without a
/// valid result, and has written the record.
template <typename FunctionOrCall> void forget_promises(FunctionOrCall &it) {
  AttributeList attributes = it.getAttributes();
  LLVMContext &context = it.getContext();
  attributes = attributes.removeRetAttributes(context, promises_about_results())
                   .removeFnAttribute(context, Attribute::NoReturn)
                   .removeFnAttribute(context, Attribute::Memory)
                   .removeFnAttribute(context, Attribute::Speculatable);
  for (unsigned i = 0; i < it.arg_size(); ++i)
    attributes =
        attributes.removeParamAttribute(context, i, Attribute::Returned)
            .removeParamAttribute(context, i, Attribute::ReadNone)
            .removeParamAttribute(context, i, Attribute::ReadOnly);
  it.setAttributes(attributes);
}

/// Does nothing that can be noticed stand between the call and a return?
bool returns_at_once(const CallBase &call) {
  for (const Instruction *next = call.getNextNode(); next;
       next = next->getNextNode()) {
    if (isa<ReturnInst>(next))
      return true;
    if (next->mayHaveSideEffects() || next->mayReadFromMemory() ||
        next->isTerminator())
      return false;
  }
  return false;
}

SmallVector<CallInst *> find_calls(Function &function, const Jumpers &jumpers) {
  SmallVector<CallInst *> found;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && jumpers.may_jump(*call))
      found.push_back(call);
  return found;
}

/// Branches to `away` behind the call if the thread is jumping.
void add_test(CallInst &call, Value *record, BasicBlock *away) {
  BasicBlock *block = call.getParent();
  BasicBlock *rest = block->splitBasicBlock(call.getNextNode());
  Instruction *old = block->getTerminator();
  IRBuilder<> builder(old);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  Value *jumping = builder.CreateLoad(
      builder.getInt32Ty(), member(builder, record, RecordMember::jumping));
  builder.CreateCondBr(
      builder.CreateICmpNE(jumping, builder.getInt32(0)), away, rest,
      MDBuilder(builder.getContext()).createBranchWeights(1, 4095));
  old->eraseFromParent();
}

/// A block on the way to `away` that ends the lifetimes, or `away`. No marker
/// follows a call that was the last of its scope, and where all such ways meet
/// all variables would be alive.
BasicBlock *add_end_of_scopes(BasicBlock *away,
                              ArrayRef<AllocaInst *> variables) {
  if (variables.empty())
    return away;
  IRBuilder<> builder(
      BasicBlock::Create(away->getContext(), "", away->getParent()));
  end_lifetimes(builder, variables);
  return builder.CreateBr(away)->getParent();
}

void unwind(Function &function, ArrayRef<CallInst *> calls,
            const Landing &landing, Function &lost) {
  const bool must_test = landing.block || is_kernel(function);
  BasicBlock *away = landing.block;
  // A way out leaves all scopes.
  const SmallVector<AllocaInst *> left =
      away ? landing.left : variables_with_lifetimes(function);
  const LiveVariables lifetimes(function, left);
  IRBuilder<> builder(function.getContext());
  Value *record = record_at_start(function, builder);
  for (CallInst *call : calls) {
    forget_promises(*call);
    call->setTailCallKind(CallInst::TCK_None);
    if (!must_test && returns_at_once(*call))
      continue;
    if (!away)
      away = add_way_out(function, lost);
    add_test(*call, record,
             add_end_of_scopes(away, lifetimes.alive_after(*call)));
  }
}

} // namespace

Value *record_at_start(Function &function, IRBuilder<> &builder) {
  if (is_kernel(function))
    return make_record(function, builder);
  BasicBlock &entry = function.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  return record(builder);
}

BasicBlock *add_way_out(Function &function, Function &lost) {
  BasicBlock *block = BasicBlock::Create(function.getContext(), "", &function);
  IRBuilder<> builder(block);
  if (is_kernel(function)) {
    // The jump is over; `lost` may call functions that test for one.
    IRBuilder<> at_start(function.getContext());
    builder.CreateStore(builder.getInt32(0),
                        member(builder, record_at_start(function, at_start),
                               RecordMember::jumping));
    builder.CreateCall(&lost);
    builder.CreateIntrinsic(Intrinsic::trap, {});
    builder.CreateUnreachable();
  } else if (Type *type = function.getReturnType(); type->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(Constant::getNullValue(type));
  }
  return block;
}

void unwind_by_returning(Module &module, const Jumpers &jumpers,
                         const Landings &landings, Function &lost) {
  for (Function &function : module) {
    if (jumpers.may_jump(function))
      forget_promises(function);
    const SmallVector<CallInst *> calls = find_calls(function, jumpers);
    if (!calls.empty())
      unwind(function, calls, landings.lookup(&function), lost);
  }
}

} // namespace gpuexec
