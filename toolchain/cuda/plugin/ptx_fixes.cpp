//===-- toolchain/cuda/plugin/ptx_fixes.cpp - CUDA around ptxas's faults --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libgpuexec-ptx-fixes.so, a plugin of clang 22 for the device code of CUDA. It
// runs those passes of toolchain/passes/passes.def that work around faults of
// LLVM's NVPTX backend and of ptxas in one function, last before PTX is made.
// The passes of other kinds are for whole programs on a GPU.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

using namespace llvm;

namespace {

template <auto function> struct Fix : PassInfoMixin<Fix<function>> {
  PreservedAnalyses run(Function &unit, FunctionAnalysisManager &analyses) {
    return unit.getParent()->getTargetTriple().isNVPTX()
               ? function(unit, analyses)
               : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void begin(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        FunctionPassManager functions;
#define PTX_FIX(name) functions.addPass(Fix<gpuexec::name>());
#include "ptx_fixes.def"
#undef PTX_FIX
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
      });
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuexec-ptx-fixes", "1", begin};
}
