//===-- toolchain/passes/fixes/align_arrays.cpp - Alignment of arrays -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On x86-64 an array of 16 bytes or more is aligned to 16 bytes, as its ABI
// says. Programs that hand out parts of a static array of characters rely on
// it: a pool of memory, a malloc() of their own. Here such an array would be
// aligned to a byte, and an object in it could not be loaded, stored or changed
// atomically. Arrays in the memory of a block (LDS, shared) are left alone:
// there is little of it.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {
namespace {

constexpr uint64_t LEAST_BYTES = 16;
const Align ALIGNMENT(16);
constexpr unsigned BLOCK_MEMORY = 3; // address space of both targets

bool is_large_array(const GlobalVariable &variable) {
  return !variable.isDeclaration() && !variable.hasSection() &&
         !variable.hasAppendingLinkage() &&
         variable.getAddressSpace() != BLOCK_MEMORY &&
         variable.getValueType()->isArrayTy() &&
         variable.getDataLayout().getTypeAllocSize(variable.getValueType()) >=
             LEAST_BYTES;
}

} // namespace

PreservedAnalyses align_arrays(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (GlobalVariable &variable : module.globals())
    // Constants, texts above all, are not handed out: they stay packed.
    if (!variable.isConstant() && is_large_array(variable) &&
        variable.getAlign().valueOrOne() < ALIGNMENT) {
      variable.setAlignment(ALIGNMENT);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace gpuexec
