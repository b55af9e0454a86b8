//===-- toolchain/passes/plugin.cpp - Passes for clang and ld.lld ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libgpuexec-passes.so, a plugin of LLVM 22 that runs the passes of passes.def
// in the optimiser and in code generation. gpucc and the configuration files of
// toolchain/config name it (--load-pass-plugin=, -fpass-plugin=).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/columns.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/machine_code.h"
#include <climits>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <memory>

using namespace llvm;

// passes_needed.py builds this file with a table that lacks a row. Then this
// does nothing in place of the pass that is called here by name; with the row
// its function is the better match.
template <typename... Any> void note_virtual_calls(Any &&...) {}

namespace {

using namespace gpuexec::columns;

bool is_for(const Module &module, Gpus gpus) {
  const Triple &triple = module.getTargetTriple();
  return gpus == Gpus::All ||
         (gpus == Gpus::AMD ? triple.isAMDGPU() : triple.isNVPTX());
}
bool is_for(const Function &function, Gpus gpus) {
  return is_for(*function.getParent(), gpus);
}

template <typename Unit, auto function, Gpus gpus>
struct Pass : PassInfoMixin<Pass<Unit, function, gpus>> {
  PreservedAnalyses run(Unit &unit, AnalysisManager<Unit> &analyses) {
    return is_for(unit, gpus) ? function(unit, analyses)
                              : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// The passes of one stage. The module passes run first; then the function
/// passes, all of them on one function before the next function.
struct Passes {
  ModulePassManager modules;
  FunctionPassManager functions;

  template <typename Added> void add(Module *, Added &&pass) {
    modules.addPass(std::move(pass));
  }
  template <typename Added> void add(Function *, Added &&pass) {
    functions.addPass(std::move(pass));
  }
  template <typename Added> void add(MachineFunction *, Added &&) {}
};

/// 23 for "LLVM 23"; INT_MAX for "".
constexpr int first_without(const char *llvm) {
  if (!*llvm)
    return INT_MAX;
  int version = 0;
  for (llvm += sizeof "LLVM " - 1; *llvm; ++llvm)
    version = version * 10 + (*llvm - '0');
  return version;
}
#define PASS(name, kind, unit, gpus, stage, until, ...)                        \
  static_assert(LLVM_VERSION_MAJOR < first_without(until),                     \
                "LLVM does without the pass " #name);
#include "toolchain/passes/passes.def"
#undef PASS

void add(ModulePassManager &manager, Stage stage) {
  Passes passes;
#define PASS(name, kind, unit, gpus, in_stage, ...)                            \
  if (stage == Stage::in_stage)                                                \
    passes.add((unit *)nullptr, Pass<unit, gpuexec::name, Gpus::gpus>());
#include "toolchain/passes/passes.def"
#undef PASS
  manager.addPass(std::move(passes.modules));
  if (!passes.functions.isEmpty())
    manager.addPass(
        createModuleToFunctionPassAdaptor(std::move(passes.functions)));
}

/// Before a pass that writes the module: mends what no pass has mended, which
/// clang writes with -save-temps.
void mend_before_writing(StringRef pass, Any unit) {
  const auto *module = any_cast<const Module *>(&unit);
  if (module && is_for(**module, Gpus::AMD) &&
      (pass == "BitcodeWriterPass" || pass == "PrintModulePass")) {
    ModuleAnalysisManager none;
    using namespace gpuexec;
    note_virtual_calls(const_cast<Module &>(**module), none);
    gpuexec::store_stack(const_cast<Module &>(**module));
  }
}

void begin(PassBuilder &builder) {
  const auto has_passes = std::make_shared<bool>(false);
  if (PassInstrumentationCallbacks *callbacks =
          builder.getPassInstrumentationCallbacks()) {
    gpuexec::guard_optimizer(*callbacks);
    callbacks->registerBeforeNonSkippedPassCallback(
        [has_passes](StringRef pass, Any unit) {
          if (!*has_passes)
            mend_before_writing(pass, unit);
        });
  }
  builder.registerPipelineStartEPCallback(
      [has_passes](ModulePassManager &passes, OptimizationLevel) {
        *has_passes = true;
        add(passes, Stage::Start);
      });
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes,
                                             OptimizationLevel,
                                             ThinOrFullLTOPhase phase) {
    // Again, for what coroutines have become.
    if (phase == ThinOrFullLTOPhase::None ||
        phase == ThinOrFullLTOPhase::FullLTOPreLink)
      passes.addPass(Pass<Module, gpuexec::restore_stack, Gpus::AMD>());
    if (phase == ThinOrFullLTOPhase::None)
      add(passes, Stage::Compile);
    if (phase == ThinOrFullLTOPhase::None ||
        phase == ThinOrFullLTOPhase::ThinLTOPostLink)
      add(passes, Stage::Backend);
  });
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [has_passes](ModulePassManager &passes, OptimizationLevel) {
        *has_passes = true;
        add(passes, Stage::Link);
      });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        add(passes, Stage::Backend);
      });
}

void configure(TargetMachine &machine, legacy::PassManagerBase &,
               TargetPassConfig *config) {
  gpuexec::add_code_generation_stages(machine, config);
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  static const RegisterTargetPassConfigCallback registered(configure);
  return {LLVM_PLUGIN_API_VERSION, "gpuexec", "1", begin};
}
