//===-- toolchain/passes/round_stack.cpp - PTX's alloca as C wants it -----===//
// PTX's alloca moves the stack pointer by exactly the number of bytes given,
// and LLVM 22 gives the size of the array: after an array of three ints the
// frames of called functions are misaligned. This pass rounds sizes up to 16
// bytes.
//
// ptxas also merges two allocas of the same size: alloca() in a loop returned
// the same memory each time (CUDA 13.0, H200). It does not when it cannot prove
// that the sizes are equal. So the size includes the highest bit of the clock,
// which is 0 for the first hundred years of a GPU's uptime.
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
