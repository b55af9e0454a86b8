//===-- toolchain/passes/openmp/strip_locations.cpp - Lines of regions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc makes clang keep lines without -g, because clang then tells the runtime
// of OpenMP where each parallel region is, for --stats and --trace. The rest of
// LLVM would carry a location with every instruction. It needs none, unless
// remarks are asked for: this takes them away.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::strip_locations(Module &module,
                                           ModuleAnalysisManager &) {
  const LLVMContext &context = module.getContext();
  if (context.getLLVMRemarkStreamer() ||
      context.getDiagHandlerPtr()->isAnyRemarkEnabled())
    return PreservedAnalyses::all();
  for (const DICompileUnit *unit : module.debug_compile_units())
    if (unit->getEmissionKind() != DICompileUnit::NoDebug)
      return PreservedAnalyses::all();
  return StripDebugInfo(module) ? PreservedAnalyses::none()
                                : PreservedAnalyses::all();
}
