//===-- toolchain/passes/shared/resumable_body.cpp - See resumable.h ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body starts as a copy of the original's. A value that is needed after a
// suspension becomes a local variable, which is stored to the frame before the
// suspension and loaded after it. At the end the variables become values again.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/generic_pointers.h"
#include "toolchain/passes/shared/resumable.h"
#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// Copies the function, without debug information about variables and without
/// lifetime markers.
Function &copy(Function &original) {
  ValueToValueMapTy map;
  Function *made = CloneFunction(&original, map);
  FunctionAnalysisManager none;
  share_stack(*made, none);
  removeUnreachableBlocks(*made);
  for (Instruction &instruction : make_early_inc_range(instructions(made))) {
    instruction.dropDbgRecords();
    if (isa<LifetimeIntrinsic>(&instruction))
      instruction.eraseFromParent();
  }
  return *made;
}

/// The blocks at whose beginning `value` is live.
SmallPtrSet<BasicBlock *, 16> blocks_that_need(const Instruction &value) {
  SmallPtrSet<BasicBlock *, 16> needing;
  SmallVector<BasicBlock *> reached;
  const auto need_at_end = [&](BasicBlock *block) {
    if (block != value.getParent() && needing.insert(block).second)
      reached.push_back(block);
  };
  for (const Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    need_at_end(phi ? phi->getIncomingBlock(use)
                    : const_cast<BasicBlock *>(user->getParent()));
  }
  while (!reached.empty())
    for (BasicBlock *before : predecessors(reached.pop_back_val()))
      need_at_end(before);
  return needing;
}

} // namespace

/// Passes structs to a function that is not resumable on the stack, where it
/// expects them.
void Resumable::pass_structs_on_stack(CallInst &call) {
  pass_private_copies(call, *dispatch,
                      [](const llvm::Value &) { return true; });
}

/// Moves parameters and local variables to the frame. The blocks of `body` have
/// already been moved to `resumable`, but still use the parameters of `body`.
void Resumable::move_to_frame(Function &body) {
  SmallVector<AllocaInst *> variables;
  SmallVector<llvm::Value *> addresses;
  for (Argument &argument : body.args())
    if (argument.getType()->isPointerTy() &&
        argument.getType()->getPointerAddressSpace())
      addresses.push_back(&argument);
  for (Instruction &instruction : *start)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      variables.push_back(variable);
      if (variable->getAddressSpace())
        addresses.push_back(variable);
    }
  make_generic(addresses);

  IRBuilder<> at_start(start, start->begin()), builder(dispatch);
  const auto address_of = [&](uint64_t offset) {
    return builder.CreateAddrSpaceCast(field(builder, offset),
                                       builder.getPtrTy());
  };
  for (auto [argument, parameter] :
       zip_equal(make_pointer_range(body.args()), parameters)) {
    if (parameter.structure) {
      argument->replaceAllUsesWith(address_of(parameter.offset));
      continue;
    }
    LoadInst *load = at_start.CreateAlignedLoad(
        parameter.type, field(at_start, parameter.offset),
        alignment_of(parameter.type));
    argument->replaceAllUsesWith(load);
    loaded[load] = parameter.offset;
  }
  const DataLayout &layout = resumable->getDataLayout();
  for (AllocaInst *variable : variables) {
    variable->replaceAllUsesWith(address_of(
        add_field(variable->getAllocationSize(layout)->getFixedValue(),
                  variable->getAlign())));
    variable->eraseFromParent();
  }
}

/// Makes a copy of the original's body the body of `resumable`.
void Resumable::take_body(const ResumableGroup &group) {
  Function &body = copy(original);
  resumable->setSubprogram(body.getSubprogram());
  body.setSubprogram(nullptr);
  resumable->splice(resumable->begin(), &body);
  start = &resumable->front();
  dispatch = BasicBlock::Create(body.getContext(), "", resumable, start);
  for (Instruction &instruction : instructions(resumable))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && !isa<IntrinsicInst>(call) && group.callees(*call).empty())
      pass_structs_on_stack(*call);
  move_to_frame(body);
  body.eraseFromParent();
}

/// Splits the blocks after each call of a member.
void Resumable::split(const ResumableGroup &group) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(resumable))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (!group.callees(*call).empty())
        calls.push_back(call);
  for (CallInst *call : calls) {
    BasicBlock *behind =
        call->getParent()->splitBasicBlock(call->getNextNode());
    if (!call->use_empty()) {
      IRBuilder<> builder(behind, behind->begin());
      call->replaceAllUsesWith(builder.CreateAlignedLoad(
          call->getType(), word_address(builder, frame(), FrameWord::result),
          RESULT_ALIGNMENT));
    }
    suspensions.push_back({call, behind});
  }
}

/// Finds the values that are live after a suspension.
void Resumable::find_saved() {
  DenseMap<const BasicBlock *, unsigned> resumed;
  for (unsigned i = 0; i < suspensions.size(); ++i)
    resumed[suspensions[i].behind] = i;
  for (BasicBlock &block : *resumable) {
    if (&block == dispatch)
      continue;
    for (Instruction &instruction : block) {
      if (instruction.use_empty())
        continue;
      Saved value{&instruction, {}};
      for (const BasicBlock *needing : blocks_that_need(instruction))
        if (auto found = resumed.find(needing); found != resumed.end())
          value.suspensions.push_back(found->second);
      if (value.suspensions.empty())
        continue;
      sort(value.suspensions);
      if (auto parameter = loaded.find(&instruction);
          parameter != loaded.end()) {
        value.is_parameter = true;
        value.offset = parameter->second;
      }
      saved.push_back(std::move(value));
    }
  }
}

/// Gives the saved values places in the frame. Values of the same size that no
/// suspension saves together share a place.
void Resumable::place_saved() {
  struct Place {
    uint64_t offset, bytes;
    Align alignment;
    SmallSet<unsigned, 8> suspensions;
  };
  SmallVector<Place> places;
  for (Saved &value : saved) {
    if (value.is_parameter)
      continue;
    Type *type = value.value->getType();
    const uint64_t bytes = resumable->getDataLayout().getTypeAllocSize(type);
    const Align alignment = alignment_of(type);
    Place *place = find_if(places, [&](const Place &candidate) {
      return candidate.bytes == bytes && candidate.alignment >= alignment &&
             none_of(value.suspensions, [&](unsigned suspension) {
               return candidate.suspensions.contains(suspension);
             });
    });
    if (place == places.end()) {
      places.push_back({add_field(bytes, alignment), bytes, alignment, {}});
      place = &places.back();
    }
    place->suspensions.insert_range(value.suspensions);
    value.offset = place->offset;
  }
  size = alignTo(size, FRAME_ALIGNMENT);
}

void Resumable::prepare(const ResumableGroup &group) {
  size = uint64_t(FrameWord::result) + group.result_size;
  lay_out_parameters();
  take_body(group);
  split(group);
  find_saved();
  place_saved();
}

//===-- Suspensions -------------------------------------------------------===//

/// Stores the values that suspension `which` saves, and where to resume.
void Resumable::save(IRBuilder<> &builder, unsigned which) {
  for (const Saved &value : saved)
    if (!value.is_parameter && is_contained(value.suspensions, which))
      builder.CreateAlignedStore(
          builder.CreateLoad(value.value->getType(), value.variable),
          field(builder, value.offset), alignment_of(value.value->getType()));
  builder.CreateStore(builder.getInt32(which + 1),
                      word_address(builder, frame(), FrameWord::place));
}

/// Finds room for a frame of `bytes` after this one, or else at the beginning
/// of a new chunk.
Resumable::Place Resumable::find_place(IRBuilder<> &builder, Function &more,
                                       uint64_t bytes) {
  LLVMContext &context = builder.getContext();
  Type *pointer = frame_pointer(context);
  llvm::Value *here = field(builder, size);
  llvm::Value *end = builder.CreateLoad(
      pointer, word_address(builder, frame(), FrameWord::end));
  llvm::Value *fits = builder.CreateICmpULE(
      builder.CreateConstGEP1_64(builder.getInt8Ty(), here, bytes), end);
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *full = BasicBlock::Create(context, "", resumable);
  BasicBlock *ready = BasicBlock::Create(context, "", resumable);
  builder.CreateCondBr(fits, ready, full);
  builder.SetInsertPoint(full);
  auto [begin_of_next, end_of_next] = next_chunk(builder, more, end, bytes);
  builder.CreateBr(ready);
  builder.SetInsertPoint(ready);
  PHINode *next = builder.CreatePHI(pointer, 2);
  PHINode *next_end = builder.CreatePHI(pointer, 2);
  next->addIncoming(here, before);
  next->addIncoming(begin_of_next, full);
  next_end->addIncoming(end, before);
  next_end->addIncoming(end_of_next, full);
  return {next, next_end};
}

/// i32: the number of the callee to which the call's pointer points. If it is
/// none of them, the code calls the function, stores its result in the frame,
/// and branches to `behind`.
llvm::Value *Resumable::find_number(IRBuilder<> &builder, CallInst &call,
                                    ArrayRef<const Resumable *> callees,
                                    BasicBlock *behind) {
  llvm::Value *number = builder.getInt32(UINT32_MAX);
  for (const Resumable *callee : callees)
    number = builder.CreateSelect(
        builder.CreateICmpEQ(call.getCalledOperand(), &callee->original),
        callee->number(builder), number);
  BasicBlock *other = BasicBlock::Create(call.getContext(), "", resumable);
  BasicBlock *known = BasicBlock::Create(call.getContext(), "", resumable);
  builder.CreateCondBr(
      builder.CreateICmpEQ(number, builder.getInt32(UINT32_MAX)), other, known);
  builder.SetInsertPoint(other);
  auto *made = cast<CallInst>(call.clone());
  builder.Insert(made);
  if (!made->getType()->isVoidTy())
    builder.CreateAlignedStore(
        made, word_address(builder, frame(), FrameWord::result),
        RESULT_ALIGNMENT);
  builder.CreateBr(behind);
  builder.SetInsertPoint(known);
  return number;
}

/// Replaces a call by code that saves values, makes the callee's frame and
/// returns it.
void Resumable::suspend(const ResumableGroup &group, unsigned which) {
  CallInst *call = suspensions[which].call;
  const SmallVector<const Resumable *, 2> callees = group.callees(*call);
  call->getParent()->getTerminator()->eraseFromParent();
  IRBuilder<> builder(call->getParent());
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  llvm::Value *number =
      call->isIndirectCall()
          ? find_number(builder, *call, callees, suspensions[which].behind)
          : callees[0]->number(builder);
  save(builder, which);
  uint64_t bytes = 0;
  for (const Resumable *callee : callees)
    bytes = std::max(bytes, callee->size);
  const Place place = find_place(builder, *group.more, bytes);
  callees[0]->begin_frame(builder, place, frame(), number,
                          SmallVector<llvm::Value *>(call->args()));
  builder.CreateRet(place.frame);
  call->eraseFromParent();
}

/// Adds the block that resumes after suspension `which`: it loads the saved
/// values.
void Resumable::resume(unsigned which) {
  Suspension &suspension = suspensions[which];
  suspension.resumed = BasicBlock::Create(resumable->getContext(), "",
                                          resumable, suspension.behind);
  IRBuilder<> builder(suspension.resumed);
  for (const Saved &value : saved)
    if (is_contained(value.suspensions, which))
      builder.CreateStore(
          builder.CreateAlignedLoad(value.value->getType(),
                                    field(builder, value.offset),
                                    alignment_of(value.value->getType())),
          value.variable);
  builder.CreateBr(suspension.behind);
}

/// Replaces a return: stores the result in the caller's frame and returns that
/// frame.
void Resumable::leave(ReturnInst &leaving) {
  IRBuilder<> builder(&leaving);
  llvm::Value *caller =
      builder.CreateLoad(frame_pointer(builder.getContext()),
                         word_address(builder, frame(), FrameWord::caller));
  if (llvm::Value *result = leaving.getReturnValue())
    builder.CreateAlignedStore(result,
                               word_address(builder, caller, FrameWord::result),
                               RESULT_ALIGNMENT);
  builder.CreateRet(caller);
  leaving.eraseFromParent();
}

void Resumable::complete(const ResumableGroup &group) {
  SmallVector<ReturnInst *> exits;
  for (BasicBlock &block : *resumable)
    if (auto *leaving = dyn_cast_or_null<ReturnInst>(block.getTerminator()))
      exits.push_back(leaving);
  for (ReturnInst *leaving : exits)
    leave(*leaving);
  SmallVector<AllocaInst *> variables;
  for (Saved &value : saved)
    variables.push_back(value.variable = DemoteRegToStack(*value.value));

  for (unsigned i = 0; i < suspensions.size(); ++i) {
    suspend(group, i);
    resume(i);
  }
  IRBuilder<> builder(dispatch);
  llvm::Value *place = builder.CreateLoad(
      builder.getInt32Ty(), word_address(builder, frame(), FrameWord::place));
  SwitchInst *places =
      builder.CreateSwitch(place, start, unsigned(suspensions.size()));
  for (unsigned i = 0; i < suspensions.size(); ++i)
    places->addCase(builder.getInt32(i + 1), suspensions[i].resumed);
  DominatorTree dominators(*resumable);
  PromoteMemToReg(variables, dominators);
}

} // namespace gpuexec
