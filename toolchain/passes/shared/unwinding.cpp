//===-- toolchain/passes/shared/unwinding.cpp - See unwinding.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/unwinding.h"
#include "gpu/refusals.h"
#include "toolchain/passes/shared/lifetimes.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include <cstdlib>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace gpuexec {

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

/// A function that unwinds returns where it said that it would not, without a
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

/// Branches to `away` behind a call that only returns unwinding. False: it is
/// none.
bool go_away(CallInst &call, BasicBlock *away) {
  auto *end = dyn_cast<UnreachableInst>(call.getNextNode());
  if (!end)
    return false;
  BranchInst::Create(away, end->getIterator());
  end->eraseFromParent();
  return true;
}

/// Branches to `away` behind the call if the thread unwinds.
void add_test(CallInst &call, Value *record, BasicBlock *away) {
  BasicBlock *block = call.getParent();
  BasicBlock *rest = block->splitBasicBlock(call.getNextNode());
  Instruction *old = block->getTerminator();
  IRBuilder<> builder(old);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateCondBr(
      is_unwinding(builder, record), away, rest,
      MDBuilder(builder.getContext()).createBranchWeights(1, 4095));
  old->eraseFromParent();
}

/// Moves the function's variables to its start. Behind a call whose test ends
/// the first block they would be variables of no fixed place, whose scopes
/// LLVM may not join.
void gather_variables(Function &function) {
  BasicBlock &first = function.getEntryBlock();
  const auto place = first.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &instruction :
       make_early_inc_range(make_range(place, first.end())))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isStaticAlloca())
      variable->moveBefore(place);
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

} // namespace

//===-- Status ------------------------------------------------------------===//

void set_status(IRBuilder<> &builder, Value *record, UnwindStatus status) {
  builder.CreateStore(builder.getInt32(uint32_t(status)),
                      member(builder, record, RecordMember::status));
}

Value *is_unwinding(IRBuilder<> &builder, Value *record) {
  Value *status = builder.CreateLoad(
      builder.getInt32Ty(), member(builder, record, RecordMember::status));
  return builder.CreateICmpNE(status,
                              builder.getInt32(uint32_t(UnwindStatus::none)));
}

Value *is_unwinding(IRBuilder<> &builder, Value *record, UnwindStatus reason) {
  Value *status = builder.CreateLoad(
      builder.getInt32Ty(), member(builder, record, RecordMember::status));
  return builder.CreateICmpEQ(status, builder.getInt32(uint32_t(reason)));
}

Value *record_at_start(Function &function, IRBuilder<> &builder) {
  if (is_kernel(function))
    return make_record(function, builder);
  BasicBlock &entry = function.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  return record(builder);
}

//===-- Unwinding ---------------------------------------------------------===//

UnwindGraph &Unwinding::graph(UnwindStatus status) {
  std::optional<UnwindGraph> &graph = graphs[unsigned(status)];
  if (!graph)
    graph.emplace(module, sources[unsigned(status)],
                  status == UnwindStatus::exception);
  return *graph;
}

bool Unwinding::may_unwind(const CallBase &call, UnwindStatus status) {
  return has_sources(status) && graph(status).may_unwind(call);
}

bool Unwinding::may_unwind(const CallBase &call) {
  return may_unwind(call, UnwindStatus::jump) ||
         may_unwind(call, UnwindStatus::exception);
}

BasicBlock *Unwinding::add_way_out(Function &function) const {
  BasicBlock *block = BasicBlock::Create(function.getContext(), "", &function);
  IRBuilder<> builder(block);
  if (is_kernel(function)) {
    // `lost` may call functions that test the status.
    IRBuilder<> at_start(function.getContext());
    Value *record = record_at_start(function, at_start);
    if (lost_exception)
      end_lost_exception(function, builder, record);
    set_status(builder, record, UnwindStatus::none);
    if (lost_jump)
      builder.CreateCall(lost_jump);
    builder.CreateIntrinsic(Intrinsic::trap, {});
    builder.CreateUnreachable();
  } else if (Type *type = function.getReturnType(); type->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(Constant::getNullValue(type));
  }
  return block;
}

/// Ends the thread if it unwinds for an exception; the builder then stands
/// where it does not.
void Unwinding::end_lost_exception(Function &kernel, IRBuilder<> &builder,
                                   Value *record) const {
  BasicBlock *lost = BasicBlock::Create(kernel.getContext(), "", &kernel);
  BasicBlock *rest = BasicBlock::Create(kernel.getContext(), "", &kernel);
  builder.CreateCondBr(is_unwinding(builder, record, UnwindStatus::exception),
                       lost, rest);
  builder.SetInsertPoint(lost);
  set_status(builder, record, UnwindStatus::none);
  Value *exception = builder.CreateLoad(
      builder.getInt64Ty(), member(builder, record, RecordMember::value));
  builder.CreateCall(
      lost_exception,
      {builder.CreateIntToPtr(exception, lost_exception->getArg(0)->getType())});
  builder.CreateIntrinsic(Intrinsic::trap, {});
  builder.CreateUnreachable();
  builder.SetInsertPoint(rest);
}

void Unwinding::add_landing(CallInst &call, Value *record, BasicBlock *away) {
  forget_promises(call);
  call.setTailCallKind(CallInst::TCK_None);
  if (!go_away(call, away))
    add_test(call, record, away);
  tested.insert(&call);
}

SmallVector<CallInst *> Unwinding::find_calls(Function &function) {
  SmallVector<CallInst *> found;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && may_unwind(*call) && !tested.contains(call))
      found.push_back(call);
  return found;
}

void Unwinding::add_tests(Function &function, ArrayRef<CallInst *> calls) {
  if (!calls.empty())
    gather_variables(function);
  const Landing landing = landings.lookup(&function);
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
      away = add_way_out(function);
    BasicBlock *there =
        add_end_of_scopes(away, lifetimes.alive_after(*call));
    if (!has_sources(UnwindStatus::exception) || !go_away(*call, there))
      add_test(*call, record, there);
  }
}

void Unwinding::refuse_opaque(UnwindStatus status, StringRef reason) {
  if (!has_sources(status))
    return;
  const Function *opaque = graph(status).opaque();
  if (!opaque)
    return;
  const std::string refusal =
      (reason + " may have to pass through '" + opaque->getName() +
       "', which was compiled without link-time optimisation (-fno-lto)")
          .str();
  LLVMContext &context = module.getContext();
  if (std::getenv(REFUSE_LATER))
    module.getOrInsertNamedMetadata(REFUSALS)->addOperand(
        MDNode::get(context, MDString::get(context, refusal)));
  else
    context.emitError(refusal + " or is undefined");
}

void Unwinding::run() {
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration()) {
      IRBuilder<> builder(module.getContext());
      set_status(builder, make_record(function, builder), UnwindStatus::none);
    }
  refuse_opaque(UnwindStatus::jump, names_of(RuntimeGroup::longjmp).front());
  refuse_opaque(UnwindStatus::exception, "an exception");
  for (Function &function : module) {
    if (is_kernel(function) && !lost_jump && !lost_exception)
      continue;
    for (UnwindStatus status : {UnwindStatus::jump, UnwindStatus::exception})
      if (has_sources(status) && graph(status).may_unwind(function))
        forget_promises(function);
    const SmallVector<CallInst *> calls = find_calls(function);
    if (!calls.empty())
      add_tests(function, calls);
  }
}

} // namespace gpuexec
