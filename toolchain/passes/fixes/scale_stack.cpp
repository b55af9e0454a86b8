//===-- toolchain/passes/fixes/scale_stack.cpp - Dynamic allocas per lane -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack pointer counts bytes of a whole wave on AMD's older GPUs, and bytes
// of a lane on GPUs with flat scratch (gfx942, gfx11 and later). For dynamic
// allocas LLVM 22's backend assumes bytes of a wave on all GPUs.
//
// On GPUs with flat scratch an alloca takes 64 (or 32) times its size, and
// stackrestore rounds the saved stack pointer down to a multiple of 64, so that
// the next variable-length array overlaps the function's own frame. There this
// pass, which runs after inlining, divides the size of allocas by 64 (or 32;
// with LLVM's rounding each takes a multiple of 1024 bytes), and replaces
// stacksave and stackrestore by moves from and to s32, the stack pointer of
// AMDGPU's calling convention.
//
// On the older GPUs the size is right, but the address is not: it is the stack
// pointer, in bytes of a wave, where the program needs bytes of a lane. There
// this pass divides the address by 64 (or 32). LLVM saves and restores the
// stack pointer rightly.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/stack_limit.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

void scale(AllocaInst &alloca, unsigned shift) {
  IRBuilder<> builder(&alloca);
  const DataLayout &layout = alloca.getModule()->getDataLayout();
  Value *count =
      builder.CreateZExtOrTrunc(alloca.getArraySize(), builder.getInt32Ty());
  const uint64_t size =
      layout.getTypeAllocSize(alloca.getAllocatedType()).getFixedValue();
  Value *bytes = builder.CreateMul(count, builder.getInt32(uint32_t(size)));
  Value *part = builder.CreateLShr(
      builder.CreateAdd(bytes, builder.getInt32((1u << shift) - 1)), shift);
  AllocaInst *scaled =
      builder.CreateAlloca(builder.getInt8Ty(), alloca.getAddressSpace(), part);
  scaled->setAlignment(alloca.getAlign());
  scaled->takeName(&alloca);
  alloca.replaceAllUsesWith(scaled);
  alloca.eraseFromParent();
}

void divide_address(AllocaInst &alloca, unsigned shift) {
  IRBuilder<> builder(alloca.getNextNode());
  Value *of_wave = builder.CreatePtrToInt(&alloca, builder.getInt32Ty());
  Value *of_lane = builder.CreateLShr(of_wave, shift);
  Value *place =
      builder.CreatePtrAdd(&alloca, builder.CreateSub(of_lane, of_wave));
  alloca.replaceUsesWithIf(place, [&](const Use &use) {
    return use.getUser() != of_wave && use.getUser() != place &&
           !isa<LifetimeIntrinsic>(use.getUser());
  });
}

// s32 is a result of the assembly in save() and restore(): an alloca writes it,
// too, and the backend's scheduler must keep their order. (A clobber would be a
// warning.)

void save(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Type *word = builder.getInt32Ty();
  InlineAsm *move =
      InlineAsm::get(FunctionType::get(StructType::get(word, word), false),
                     "s_mov_b32 $0, s32", "=s,={s32}", true);
  Value *saved = builder.CreateExtractValue(builder.CreateCall(move), 0);
  call.replaceAllUsesWith(builder.CreateIntToPtr(saved, call.getType()));
  call.eraseFromParent();
}

void restore(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Type *word = builder.getInt32Ty();
  InlineAsm *move =
      InlineAsm::get(FunctionType::get(word, word, false), "s_mov_b32 s32, $1",
                     "={s32},s,~{memory}", true);
  Value *saved = builder.CreatePtrToInt(call.getArgOperand(0), word);
  // The value is uniform, but the compiler may not know it.
  saved = builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, word, saved);
  builder.CreateCall(move, saved);
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::scale_stack(Function &function,
                                       FunctionAnalysisManager &) {
  const bool by_lane = gpuexec::stack_counts_by_lane(function);
  const unsigned shift = gpuexec::wave_shift(function);
  SmallVector<Instruction *> found;
  for (Instruction &instruction : instructions(function)) {
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      if (!alloca->isStaticAlloca())
        found.push_back(alloca);
    } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
               call && by_lane) {
      if (call->getIntrinsicID() == Intrinsic::stacksave ||
          call->getIntrinsicID() == Intrinsic::stackrestore)
        found.push_back(call);
    }
  }
  for (Instruction *instruction : found) {
    if (auto *alloca = dyn_cast<AllocaInst>(instruction))
      (by_lane ? scale : divide_address)(*alloca, shift);
    else if (auto *call = cast<IntrinsicInst>(instruction);
             call->getIntrinsicID() == Intrinsic::stacksave)
      save(*call);
    else
      restore(*call);
  }
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
