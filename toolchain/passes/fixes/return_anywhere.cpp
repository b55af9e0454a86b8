//===-- toolchain/passes/fixes/return_anywhere.cpp - Results in objects ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that returns an object of a class makes it where its caller says.
// clang takes that for a place on the stack and passes an address of private
// memory. In C++ it can be anywhere: `static Object object = make();`, `new
// Object(make())`, a member of an object in the heap. The address is cut off.
// This pass makes it a generic pointer. C has copies in such places, and is left
// alone.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/generic_structures.h"

llvm::PreservedAnalyses
gpuexec::return_anywhere(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  return make_structures_generic(module, Structures::returned);
}
