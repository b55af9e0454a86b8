//===-- toolchain/passes/shared/resumable.cpp - See resumable.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/resumable.h"
#include "toolchain/passes/shared/call_cycles.h"
#include "toolchain/passes/shared/generic_pointers.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {

namespace {

constexpr unsigned GLOBAL = 1, LOCAL = 5; // address spaces of both targets

/// Does the instruction need a frame on the hardware's stack?
bool needs_stack(const Instruction &instruction) {
  if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    return !variable->isStaticAlloca() ||
           variable->getAlign() > FRAME_ALIGNMENT;
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return call->isMustTailCall() || call->canReturnTwice() ||
           call->getIntrinsicID() == Intrinsic::stacksave;
  return isa<CallBase, IndirectBrInst, ResumeInst>(&instruction) ||
         instruction.isEHPad() || instruction.getType()->isTokenTy();
}

/// Finds the private addresses, which would become addresses in frames. False
/// if they cannot all be followed.
bool find_private(const Function &function,
                  SmallVectorImpl<const Value *> &found) {
  for (const Argument &argument : function.args())
    if (argument.getType()->isPointerTy() &&
        argument.getType()->getPointerAddressSpace())
      found.push_back(&argument);
  for (const Instruction &instruction : instructions(function)) {
    if (isa<AllocaInst>(&instruction) &&
        instruction.getType()->getPointerAddressSpace())
      found.push_back(&instruction);
    // A private address that is computed from a generic one is not followed.
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
        cast && cast->getDestAddressSpace() == LOCAL)
      return false;
  }
  return true;
}

} // namespace

PointerType *frame_pointer(LLVMContext &context) {
  return PointerType::get(context, GLOBAL);
}

Value *word_address(IRBuilder<> &builder, Value *frame, FrameWord word) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame,
                                            uint64_t(word));
}

std::pair<Value *, Value *> next_chunk(IRBuilder<> &builder, Function &more,
                                       Value *end, uint64_t bytes) {
  Type *pointer = frame_pointer(builder.getContext());
  Value *chunk = builder.CreateAddrSpaceCast(
      builder.CreateCall(&more,
                         {builder.CreateAddrSpaceCast(end, builder.getPtrTy()),
                          builder.getInt64(bytes)}),
      pointer);
  return {builder.CreateLoad(pointer, member(builder, chunk,
                                             RuntimeMember::stack_chunk_begin)),
          chunk};
}

uint64_t bare_frame_size(const ResumableGroup &group) {
  return alignTo(uint64_t(FrameWord::result) + group.result_size,
                 FRAME_ALIGNMENT);
}

SmallVector<const Resumable *, 2>
ResumableGroup::callees(const CallBase &call) const {
  SmallVector<const Resumable *, 2> found;
  for (Function *target : targets->of(call))
    if (const auto member = members.find(target);
        member != members.end() &&
        (!call.isIndirectCall() || member->second->takes_plain_arguments()))
      found.push_back(member->second.get());
  return found;
}

/// True if no parameter is a struct in memory: the frames of all such functions
/// of one type have the parameters at the same offsets.
bool Resumable::takes_plain_arguments() const {
  return all_of(original.args(), [](const Argument &argument) {
    return !argument.getParamByValType() &&
           !(argument.getType()->isPointerTy() &&
             argument.getType()->getPointerAddressSpace());
  });
}

bool Resumable::is_possible(const Function &function,
                            ArrayRef<Function *> members) {
  if (function.isVarArg() ||
      any_of(function,
             [](const BasicBlock &block) { return block.hasAddressTaken(); }) ||
      any_of(instructions(function), needs_stack))
    return false;
  SmallVector<const llvm::Value *> addresses;
  return find_private(function, addresses) &&
         can_become_generic(addresses, [&](const CallBase &call) {
           return is_contained(members, direct_callee(call));
         });
}

Resumable::Resumable(Function &original, unsigned index)
    : original(original), index(index) {
  declare();
}

/// Declares the function before bodies refer to it.
void Resumable::declare() {
  LLVMContext &context = original.getContext();
  PointerType *pointer = frame_pointer(context);
  resumable = Function::Create(
      FunctionType::get(pointer, pointer, false), GlobalValue::InternalLinkage,
      original.getName() + ".resume", original.getParent());
  // The attributes on which code generation depends, and none that describes
  // what the original does.
  AttrBuilder attributes(context);
  for (Attribute attribute : original.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute() ||
        attribute.hasAttribute(Attribute::OptimizeNone) ||
        attribute.hasAttribute(Attribute::MinSize) ||
        attribute.hasAttribute(Attribute::OptimizeForSize))
      attributes.addAttribute(attribute);
  attributes.addAttribute(Attribute::NoInline);
  attributes.addAttribute(Attribute::NoUnwind);
  resumable->addFnAttrs(attributes);
}

//===-- The frame ---------------------------------------------------------===//

uint64_t Resumable::add_field(uint64_t bytes, Align alignment) {
  const uint64_t offset = alignTo(size, alignment);
  size = offset + bytes;
  return offset;
}

Align Resumable::alignment_of(Type *type) const {
  return std::min(original.getDataLayout().getABITypeAlign(type),
                  FRAME_ALIGNMENT);
}

void Resumable::lay_out_parameters() {
  for (Argument &argument : original.args()) {
    Parameter parameter{0, argument.getType()};
    if ((parameter.structure = argument.getParamByValType()))
      parameter.offset = add_field(
          original.getDataLayout().getTypeAllocSize(parameter.structure),
          FRAME_ALIGNMENT);
    else if (argument.getType()->isPointerTy() &&
             argument.getType()->getPointerAddressSpace())
      parameter.type = PointerType::get(original.getContext(), 0);
    if (!parameter.structure)
      parameter.offset =
          add_field(original.getDataLayout().getTypeAllocSize(parameter.type),
                    alignment_of(parameter.type));
    parameters.push_back(parameter);
  }
}

llvm::Value *Resumable::field(IRBuilder<> &builder, uint64_t offset) const {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), frame(),
                                            offset);
}

void Resumable::begin_frame(IRBuilder<> &builder, Place place,
                            llvm::Value *caller, llvm::Value *number,
                            ArrayRef<llvm::Value *> arguments) const {
  const auto set = [&](FrameWord word, llvm::Value *value) {
    builder.CreateStore(value, word_address(builder, place.frame, word));
  };
  set(FrameWord::caller, caller);
  set(FrameWord::end, place.end);
  set(FrameWord::function, number);
  set(FrameWord::place, builder.getInt32(0));
  for (auto [parameter, argument] : zip_equal(parameters, arguments)) {
    llvm::Value *field = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), place.frame, parameter.offset);
    if (parameter.structure) {
      builder.CreateMemCpy(
          field, FRAME_ALIGNMENT, argument, MaybeAlign(4),
          original.getDataLayout().getTypeAllocSize(parameter.structure));
      continue;
    }
    llvm::Value *kept = argument;
    if (kept->getType() != parameter.type)
      kept = builder.CreateAddrSpaceCast(kept, parameter.type);
    builder.CreateAlignedStore(kept, field, alignment_of(parameter.type));
  }
}

} // namespace gpuexec
