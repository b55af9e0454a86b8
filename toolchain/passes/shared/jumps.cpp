//===-- toolchain/passes/shared/jumps.cpp - setjmp and longjmp ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A jmp_buf holds no registers and no stack. It holds the number of a
// function's activation and the number of a place in it: the setjmp. longjmp
// (libc-shim/process/setjmp.c) notes both in the thread's record and returns,
// as do all functions up to the activation with that number
// (shared/unwinding.h), which branches behind its setjmp.
//
// This branch is an edge of the function's control flow like any other. Values
// that are used behind a setjmp and are computed elsewhere go through memory,
// so that they are right on either way; the optimiser then makes registers of
// them again. A variable that is not volatile and has changed since the setjmp
// has its latest value, or the one that it had at the setjmp: as C allows.
//
// Before the link calls of setjmp are left alone. LLVM knows them as calls that
// may return twice: it does not inline their function, and moves no values that
// a second return would find changed.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/jumps.h"
#include "toolchain/passes/shared/lifetimes.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include "toolchain/passes/shared/unwinding.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using gpuexec::RecordMember;
using gpuexec::Runtime;
using gpuexec::RuntimeGroup;
using gpuexec::RuntimeMember;
using gpuexec::Unwinding;
using gpuexec::UnwindStatus;

namespace {

using Sites = MapVector<Function *, SmallVector<CallInst *>>;

/// The calls of setjmp by any of its names. A call without a buffer is none:
/// configure tests for the function with one.
Sites find_setjmps(Module &module) {
  Sites sites;
  for (RuntimeGroup group : {RuntimeGroup::setjmp, RuntimeGroup::sigsetjmp,
                             RuntimeGroup::builtin_setjmp})
    for (StringRef name : names_of(group))
      if (Function *setjmp = module.getFunction(name))
        for (User *user : setjmp->users())
          if (auto *call = dyn_cast<CallInst>(user);
              call && call->getCalledOperand() == setjmp && call->arg_size() &&
              call->getArgOperand(0)->getType()->isPointerTy())
            sites[call->getFunction()].push_back(call);
  return sites;
}

//===-- Sources and kernels -----------------------------------------------===//

/// Defines void __gpuexec_jump(i64 target, i32 label, i64 value).
void define_jump(Function &jump) {
  IRBuilder<> builder(BasicBlock::Create(jump.getContext(), "", &jump));
  jump.setLinkage(GlobalValue::InternalLinkage);
  jump.setVisibility(GlobalValue::DefaultVisibility);
  Value *record = gpuexec::record(builder);
  const auto set = [&](RecordMember which, Value *value) {
    builder.CreateStore(value, gpuexec::member(builder, record, which));
  };
  set(RecordMember::target, jump.getArg(0));
  set(RecordMember::label, jump.getArg(1));
  set(RecordMember::value, jump.getArg(2));
  gpuexec::set_status(builder, record, UnwindStatus::jump);
  builder.CreateRetVoid();
}

/// Activations are numbered from 1.
void begin_kernel(Function &kernel) {
  IRBuilder<> builder(kernel.getContext());
  Value *record = gpuexec::make_record(kernel, builder);
  builder.CreateStore(builder.getInt64(1),
                      gpuexec::member(builder, record, RecordMember::next));
}

//===-- Targets -----------------------------------------------------------===//

/// Is the value used where the branch to a setjmp may have passed over it?
bool crosses_blocks(const Instruction &instruction) {
  return any_of(instruction.users(), [&](const User *user) {
    return cast<Instruction>(user)->getParent() != instruction.getParent() ||
           isa<PHINode>(user);
  });
}

/// Moves to memory what is live between blocks, except `valid_everywhere`.
void demote(Function &function, ArrayRef<Value *> valid_everywhere) {
  SmallVector<Instruction *> values;
  SmallVector<PHINode *> phis;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      if (auto *phi = dyn_cast<PHINode>(&instruction))
        phis.push_back(phi);
      auto *alloca = dyn_cast<AllocaInst>(&instruction);
      if (!(alloca && alloca->isStaticAlloca()) &&
          !is_contained(valid_everywhere, &instruction) &&
          !instruction.getType()->isTokenTy() && crosses_blocks(instruction))
        values.push_back(&instruction);
    }
  for (Instruction *value : values)
    DemoteRegToStack(*value);
  for (PHINode *phi : phis)
    DemotePHIToStack(phi);
}

/// A function that calls setjmp, as the target of jumps.
class Target {
public:
  Target(Function &function, const Unwinding &unwinding)
      : function(function), unwinding(unwinding) {}

  /// Replaces the calls.
  gpuexec::Landing lower(ArrayRef<CallInst *> setjmps);

private:
  void find_left(ArrayRef<CallInst *> setjmps);
  void number_activation();
  BasicBlock *split(CallInst *setjmp);
  AllocaInst *variable(Type *type);
  void keep_variables(IRBuilder<> &builder);
  BasicBlock *free_variables(BasicBlock *behind, AllocaInst *kept);
  BasicBlock *make_landing(ArrayRef<BasicBlock *> behind);
  void lower(CallInst &setjmp, uint32_t label);

  Function &function;
  const Unwinding &unwinding;
  Value *record = nullptr;
  Value *activation = nullptr;  ///< i64, of this call of the function
  AllocaInst *result = nullptr; ///< i32, what setjmp returns
  /// Whose lifetimes had not begun at any setjmp: a jump to one leaves their
  /// scopes.
  SmallVector<AllocaInst *> left;
  /// Of each setjmp: what __large_variables() returned there.
  SmallVector<AllocaInst *> kept;
};

void Target::find_left(ArrayRef<CallInst *> setjmps) {
  const SmallVector<AllocaInst *> variables =
      gpuexec::variables_with_lifetimes(function);
  const gpuexec::LiveVariables lifetimes(function, variables);
  SmallPtrSet<const AllocaInst *, 8> alive;
  for (CallInst *setjmp : setjmps)
    for (const AllocaInst *variable : lifetimes.alive_after(*setjmp))
      alive.insert(variable);
  copy_if(variables, std::back_inserter(left), [&](const AllocaInst *variable) {
    return !alive.contains(variable);
  });
}

void Target::number_activation() {
  IRBuilder<> builder(function.getContext());
  record = gpuexec::record_at_start(function, builder);
  Value *next = gpuexec::member(builder, record, RecordMember::next);
  activation = builder.CreateLoad(builder.getInt64Ty(), next);
  builder.CreateStore(builder.CreateAdd(activation, builder.getInt64(1)), next);
  result = variable(builder.getInt32Ty());
}

AllocaInst *Target::variable(Type *type) {
  IRBuilder<> builder(function.getContext());
  builder.SetInsertPointPastAllocas(&function);
  return builder.CreateAlloca(
      type, function.getParent()->getDataLayout().getAllocaAddrSpace());
}

void Target::keep_variables(IRBuilder<> &builder) {
  Function *newest =
      find_runtime(*function.getParent(), Runtime::large_variables);
  if (!newest)
    return;
  kept.push_back(variable(newest->getReturnType()));
  builder.CreateStore(builder.CreateCall(newest), kept.back());
}

/// A block in front of `behind` that frees the variables of left functions.
BasicBlock *Target::free_variables(BasicBlock *behind, AllocaInst *kept) {
  Function *free =
      find_runtime(*function.getParent(), Runtime::free_large_variables);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateCall(free,
                     {builder.CreateLoad(free->getArg(0)->getType(), kept)});
  return builder.CreateBr(behind)->getParent();
}

/// The block behind the call, which gets its result from memory.
BasicBlock *Target::split(CallInst *setjmp) {
  BasicBlock *behind =
      setjmp->getParent()->splitBasicBlock(setjmp->getNextNode());
  IRBuilder<> builder(behind, behind->begin());
  Value *value = builder.CreateLoad(builder.getInt32Ty(), result);
  setjmp->replaceAllUsesWith(
      builder.CreateIntCast(value, setjmp->getType(), true));
  return behind;
}

/// Writes the target to the buffer, and 0 as the result.
void Target::lower(CallInst &setjmp, uint32_t label) {
  IRBuilder<> builder(setjmp.getParent()->getTerminator());
  Value *buffer = setjmp.getArgOperand(0);
  const auto keep = [&](RuntimeMember which, Value *value) {
    builder.CreateAlignedStore(value, gpuexec::member(builder, buffer, which),
                               Align(8));
  };
  keep(RuntimeMember::jump_activation, activation);
  keep(RuntimeMember::jump_label, builder.getInt32(label));
  builder.CreateStore(builder.getInt32(0), result);
  keep_variables(builder);
  if (is_in(RuntimeGroup::sigsetjmp, *setjmp.getCalledFunction()))
    setjmp.removeFnAttr(Attribute::ReturnsTwice);
  else
    setjmp.eraseFromParent();
}

/// Takes the jump if it is to this activation, or leaves the function.
BasicBlock *Target::make_landing(ArrayRef<BasicBlock *> behind) {
  LLVMContext &context = function.getContext();
  BasicBlock *landing = BasicBlock::Create(context, "landing", &function);
  BasicBlock *taken = BasicBlock::Create(context, "", &function);
  BasicBlock *invalid = BasicBlock::Create(context, "", &function);
  IRBuilder<> builder(landing);
  const auto load = [&](RecordMember which, Type *type) {
    return builder.CreateLoad(type, gpuexec::member(builder, record, which));
  };
  BasicBlock *away = unwinding.add_way_out(function);
  if (unwinding.has_sources(UnwindStatus::exception)) {
    BasicBlock *jumps = BasicBlock::Create(context, "", &function);
    builder.CreateCondBr(
        gpuexec::is_unwinding(builder, record, UnwindStatus::jump), jumps,
        away);
    builder.SetInsertPoint(jumps);
  }
  builder.CreateCondBr(
      builder.CreateICmpEQ(load(RecordMember::target, builder.getInt64Ty()),
                           activation),
      taken, away);
  builder.SetInsertPoint(taken);
  gpuexec::set_status(builder, record, UnwindStatus::none);
  builder.CreateStore(
      builder.CreateTrunc(load(RecordMember::value, builder.getInt64Ty()),
                          builder.getInt32Ty()),
      result);
  SwitchInst *places =
      builder.CreateSwitch(load(RecordMember::label, builder.getInt32Ty()),
                           invalid, unsigned(behind.size()));
  for (uint32_t i = 0; i < behind.size(); ++i)
    places->addCase(builder.getInt32(i),
                    kept.empty() ? behind[i]
                                 : free_variables(behind[i], kept[i]));
  builder.SetInsertPoint(invalid);
  builder.CreateUnreachable();
  return landing;
}

gpuexec::Landing Target::lower(ArrayRef<CallInst *> setjmps) {
  SmallVector<BasicBlock *> behind;
  find_left(setjmps);
  number_activation();
  for (CallInst *setjmp : setjmps)
    behind.push_back(split(setjmp));
  for (uint32_t i = 0; i < setjmps.size(); ++i)
    lower(*setjmps[i], i);
  demote(function, {record, activation}); // computed at the beginning
  return {make_landing(behind), left};
}

} // namespace

bool gpuexec::add_jumps(Module &module, Unwinding &unwinding) {
  Function *jump = find_runtime(module, Runtime::jump);
  Sites setjmps = find_setjmps(module);
  if (!jump && setjmps.empty())
    return false;
  if (jump) {
    define_jump(*jump);
    unwinding.add_source(*jump, UnwindStatus::jump);
  }
  for (auto &[function, calls] : setjmps)
    unwinding.add_landing(*function, Target(*function, unwinding).lower(calls));
  // In front of what the targets among the kernels do at their beginnings.
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration())
      begin_kernel(function);
  return true;
}
