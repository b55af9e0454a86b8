//===-- toolchain/passes/round_stack.cpp - PTX's alloca as C wants it -----===//
// It moves the stack pointer by as many bytes as it is told, and LLVM 22 tells
// it what an array of variable length has: behind three ints the frames of the
// functions called are misaligned. So here arrays take multiples of 16.
//
// And ptxas takes two allocas of the same size for one: alloca() in a loop gave
// the same memory each time (CUDA 13.0, H200). It does not where it cannot know
// that the sizes are the same, so the clock's highest bit is in it, which is 0
// for the next hundred years of a GPU's running.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::round_stack(Function &function,
                                       FunctionAnalysisManager &) {
  SmallVector<AllocaInst *> found;
  for (Instruction &instruction : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      if (!alloca->isStaticAlloca())
        found.push_back(alloca);
  for (AllocaInst *alloca : found) {
    IRBuilder<> builder(alloca);
    const DataLayout &layout = alloca->getModule()->getDataLayout();
    const uint64_t size =
        layout.getTypeAllocSize(alloca->getAllocatedType()).getFixedValue();
    Value *count =
        builder.CreateZExtOrTrunc(alloca->getArraySize(), builder.getInt64Ty());
    Value *bytes = builder.CreateMul(count, builder.getInt64(size));
    bytes = builder.CreateAnd(builder.CreateAdd(bytes, builder.getInt64(15)),
                              builder.getInt64(~uint64_t(15)));
    Value *clock = builder.CreateIntrinsic(
        builder.getInt64Ty(), Intrinsic::nvvm_read_ptx_sreg_clock64, {});
    Value *zero = builder.CreateShl(builder.CreateLShr(clock, 63), 4);
    bytes = builder.CreateAdd(bytes, zero);
    AllocaInst *rounded = builder.CreateAlloca(
        builder.getInt8Ty(), alloca->getAddressSpace(), bytes);
    rounded->setAlignment(std::max(alloca->getAlign(), Align(16)));
    rounded->takeName(alloca);
    alloca->replaceAllUsesWith(rounded);
    alloca->eraseFromParent();
  }
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
