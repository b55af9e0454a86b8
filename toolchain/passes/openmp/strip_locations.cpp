//===-- toolchain/passes/openmp/strip_locations.cpp - Lines of regions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc makes clang keep source lines even without -g: then clang passes the
// line of each parallel region to the OpenMP runtime, for --stats and --trace.
// Every instruction has a location, too, which LLVM needs only for optimisation
// remarks. This pass removes the locations unless remarks or -g are asked for.
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
