//===-- toolchain/passes/fixes/align_atomics.cpp - Atomics are aligned ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With gpucc --unaligned-access clang assumes no alignment of memory that
// pointers point to, not even for atomic accesses. LLVM makes an unaligned
// atomic access a call of libatomic, which GPUs lack, and no processor has an
// unaligned one. So this pass gives atomic accesses the alignment of their
// size.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace gpuexec {
namespace {

/// The size in bytes of the largest atomic access that is an instruction.
constexpr uint64_t MOST_BYTES = 8;

template <typename Access>
bool align(Access &access, Type *type, const DataLayout &layout) {
  const uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  if (!isPowerOf2_64(size) || size > MOST_BYTES || access.getAlign() >= size)
    return false;
  access.setAlignment(Align(size));
  return true;
}

} // namespace

PreservedAnalyses align_atomics(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      changed |= align(*update, update->getType(), layout);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      changed |=
          align(*exchange, exchange->getNewValOperand()->getType(), layout);
    else if (auto *load = dyn_cast<LoadInst>(&instruction);
             load && load->isAtomic())
      changed |= align(*load, load->getType(), layout);
    else if (auto *store = dyn_cast<StoreInst>(&instruction);
             store && store->isAtomic())
      changed |= align(*store, store->getValueOperand()->getType(), layout);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace gpuexec
