//===-- toolchain/passes/plugin.cpp - Passes for clang and ld.lld ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libgpuexec-passes.so, a plugin of LLVM 22 that runs the passes of passes.def
// in the optimiser and in code generation. gpucc and the configuration files of
// toolchain/config name it (--load-pass-plugin=, -fpass-plugin=).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/returned_values.h"
#include <climits>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils.h>
#include <memory>

using namespace llvm;

// passes_needed.py builds this file with a table that lacks a row. Then these
// do nothing in place of the passes that are called here by name; with the row
// its function is the better match.
template <typename... Any> void note_virtual_calls(Any &&...) {}
template <typename... Any> void keep_compared_addresses(Any &&...) {}

namespace {

enum class Gpus { AMD, NVIDIA, All };
enum class Stage {
  Start,
  Compile,
  Link,
  Backend,
  Structurizer,
  Selection,
  Spilling,
  Emission
};

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

/// A pass of LLVM's legacy pass manager, which code generation uses, that runs
/// all passes of one stage. Base is FunctionPass or MachineFunctionPass, and
/// Unit is Function or MachineFunction.
template <typename Base, typename Unit, Stage stage>
class CodeGenerationStage : public Base {
public:
  CodeGenerationStage() : Base(id) {}
  bool run_passes(Unit &function) {
    bool changed = false;
#define PASS(name, kind, unit, gpus, in_stage, ...)                            \
  changed |= run<Stage::in_stage, gpuexec::name>(function);
#include "toolchain/passes/passes.def"
#undef PASS
    return changed;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    Base::getAnalysisUsage(usage);
  }

private:
  template <Stage in_stage, auto pass> static bool run(Unit &function) {
    if constexpr (stage == in_stage) {
      AnalysisManager<Unit> none;
      return !pass(function, none).areAllPreserved();
    }
    return false;
  }

  static inline char id = 0;
};

struct BeforeStructurizer
    : CodeGenerationStage<FunctionPass, Function, Stage::Structurizer> {
  bool runOnFunction(Function &function) override {
    return run_passes(function);
  }
};

template <Stage stage>
struct MachineStage
    : CodeGenerationStage<MachineFunctionPass, MachineFunction, stage> {
  bool runOnMachineFunction(MachineFunction &function) override {
    return this->run_passes(function);
  }
};

/// False for LLVM's InferAddressSpaces on a function that it would break. It is
/// an optimisation, so it can be skipped.
bool may_run(StringRef pass, Any unit) {
  const auto *function = any_cast<const Function *>(&unit);
  return pass != "InferAddressSpacesPass" || !function ||
         !gpuexec::loses_pointers(**function);
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

/// Before each run of LLVM's InferAddressSpaces in the optimiser.
void mend_before_inference(StringRef pass, Any unit) {
  const auto *function = any_cast<const Function *>(&unit);
  if (pass == "InferAddressSpacesPass" && function &&
      is_for(**function, Gpus::AMD)) {
    FunctionAnalysisManager none;
    using namespace gpuexec;
    keep_compared_addresses(const_cast<Function &>(**function), none);
  }
}

void begin(PassBuilder &builder) {
  const auto has_passes = std::make_shared<bool>(false);
  if (PassInstrumentationCallbacks *callbacks =
          builder.getPassInstrumentationCallbacks()) {
    gpuexec::hide_returned_values(*callbacks);
    callbacks->registerShouldRunOptionalPassCallback(may_run);
    callbacks->registerBeforeNonSkippedPassCallback(
        [has_passes](StringRef pass, Any unit) {
          if (!*has_passes)
            mend_before_writing(pass, unit);
          mend_before_inference(pass, unit);
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

/// Adds the stages of code generation to AMD's pipeline. UnifyLoopExits is the
/// pass before StructurizeCFG. At -O0 the pipeline has no MachineBlockPlacement
/// (a pass inserted after it would never be freed), and none is needed: no
/// later pass changes branches. With optimisation LLVM keeps the live ranges of
/// registers between its passes for spills: the stage Spilling is for -O0.
void configure(TargetMachine &machine, legacy::PassManagerBase &,
               TargetPassConfig *config) {
  if (!machine.getTargetTriple().isAMDGPU())
    return;
  const std::unique_ptr<FunctionPass> before(createUnifyLoopExitsPass());
  config->insertPass(before->getPassID(), new BeforeStructurizer);
  config->insertPass(&FinalizeISelID, new MachineStage<Stage::Selection>);
  if (config->getOptLevel() != CodeGenOptLevel::None)
    config->insertPass(&MachineBlockPlacementID,
                       new MachineStage<Stage::Emission>);
  else if (const PassInfo *spills =
               PassRegistry::getPassRegistry()->getPassInfo(
                   StringRef("si-lower-sgpr-spills")))
    config->insertPass(spills->getTypeInfo(),
                       new MachineStage<Stage::Spilling>);
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  static const RegisterTargetPassConfigCallback registered(configure);
  return {LLVM_PLUGIN_API_VERSION, "gpuexec", "1", begin};
}
