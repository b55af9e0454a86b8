//===-- toolchain/passes/plugin.cpp - Passes for clang and ld.lld ---------===//
// libgpuexec-passes.so, a plugin of LLVM 22's optimiser: what is done last
// before the backend, at the link or, without LTO, in clang. gpucc and the
// configuration files of toolchain/config name it (--load-pass-plugin=,
// -fpass-plugin=).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

using namespace llvm;

static void add(ModulePassManager &passes) {
  passes.addPass(gpuexec::CompleteVariadicCalls());
  FunctionPassManager functions;
  functions.addPass(gpuexec::LowerComputedJumps());
  functions.addPass(gpuexec::KeepPhiValues());
  functions.addPass(gpuexec::KeepSelectConditions());
  functions.addPass(gpuexec::OrderAtomics());
  functions.addPass(gpuexec::RoundStack());
  functions.addPass(gpuexec::ScaleStack());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
}

static void begin(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes,
                                             OptimizationLevel,
                                             ThinOrFullLTOPhase phase) {
    if (phase == ThinOrFullLTOPhase::None) {
      passes.addPass(gpuexec::CompleteMain());
      passes.addPass(gpuexec::RenameSystemCalls());
    }
    if (phase == ThinOrFullLTOPhase::None ||
        phase == ThinOrFullLTOPhase::ThinLTOPostLink)
      add(passes);
  });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) { add(passes); });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuexec", "1", begin};
}
