//===-- toolchain/passes/shared/machine_code.cpp - See machine_code.h -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/machine_code.h"
#include "toolchain/passes/columns.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/returned_values.h"
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils.h>
#include <memory>

using namespace llvm;

namespace gpuexec {

// passes_needed.py builds this file with a table that lacks a row. Then this
// does nothing in place of the pass that is called here by name; with the row
// its function is the better match.
namespace without_row {
template <typename... Any> void keep_compared_addresses(Any &&...) {}
} // namespace without_row

namespace {

using namespace columns;

#define PASS(name, kind, unit, gpus, stage, ...)                               \
  static_assert(Stage::stage < Stage::Structurizer ||                          \
                    Kind::kind == Kind::fixes,                                 \
                "add_code_generation_stages() is for all of AMD's code");
#include "toolchain/passes/passes.def"
#undef PASS

constexpr bool is_fix(Kind kind, Gpus gpus, Stage stage) {
  return kind == Kind::fixes && gpus != Gpus::NVIDIA && stage == Stage::Backend;
}

/// Calls the pass if its unit is the type of `unit` and it is wanted.
template <bool IsWanted, typename OfPass, auto Pass, typename Unit>
bool run(Unit &unit) {
  if constexpr (IsWanted && std::is_same_v<OfPass, Unit>) {
    AnalysisManager<Unit> none;
    return !Pass(unit, none).areAllPreserved();
  }
  return false;
}

template <typename Unit> void run_fixes(Unit &unit) {
#define PASS(name, kind, of_pass, gpus, stage, ...)                            \
  run<is_fix(Kind::kind, Gpus::gpus, Stage::stage), of_pass, gpuexec::name>(   \
      unit);
#include "toolchain/passes/passes.def"
#undef PASS
}

/// A pass of LLVM's legacy pass manager, which code generation uses, that runs
/// all passes of one stage. Base is FunctionPass or MachineFunctionPass, and
/// Unit is Function or MachineFunction.
template <typename Base, typename Unit, Stage Wanted>
class CodeGenerationStage : public Base {
public:
  CodeGenerationStage() : Base(id) {}
  bool run_passes(Unit &function) {
    bool changed = false;
#define PASS(name, kind, unit, gpus, stage, ...)                               \
  changed |= run<Stage::stage == Wanted, unit, gpuexec::name>(function);
#include "toolchain/passes/passes.def"
#undef PASS
    return changed;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    Base::getAnalysisUsage(usage);
  }

private:
  static inline char id = 0;
};

struct BeforeStructurizer
    : CodeGenerationStage<FunctionPass, Function, Stage::Structurizer> {
  bool runOnFunction(Function &function) override {
    return run_passes(function);
  }
};

template <Stage OfStage>
struct MachineStage
    : CodeGenerationStage<MachineFunctionPass, MachineFunction, OfStage> {
  bool runOnMachineFunction(MachineFunction &function) override {
    return this->run_passes(function);
  }
};

/// False for LLVM's InferAddressSpaces on a function that it would break. It is
/// an optimisation, so it can be skipped.
bool may_run(StringRef pass, Any unit) {
  const auto *function = any_cast<const Function *>(&unit);
  return pass != "InferAddressSpacesPass" || !function ||
         !loses_pointers(**function);
}

/// Before each run of LLVM's InferAddressSpaces in the optimiser.
void mend_before_inference(StringRef pass, Any unit) {
  const auto *function = any_cast<const Function *>(&unit);
  if (pass == "InferAddressSpacesPass" && function &&
      (*function)->getParent()->getTargetTriple().isAMDGPU()) {
    FunctionAnalysisManager none;
    using namespace without_row;
    keep_compared_addresses(const_cast<Function &>(**function), none);
  }
}

} // namespace

void guard_optimizer(PassInstrumentationCallbacks &callbacks) {
  hide_returned_values(callbacks);
  callbacks.registerShouldRunOptionalPassCallback(may_run);
  callbacks.registerBeforeNonSkippedPassCallback(mend_before_inference);
}

void fix_before_code_generation(Module &module) {
  run_fixes(module);
  for (Function &function : module)
    if (!function.isDeclaration())
      run_fixes(function);
}

/// UnifyLoopExits is the pass before StructurizeCFG. At -O0 the pipeline has no
/// MachineBlockPlacement (a pass inserted after it would never be freed), and
/// none is needed: no later pass changes branches. With optimisation LLVM keeps
/// the live ranges of registers between its passes for spills: the stage
/// Spilling is for -O0.
void add_code_generation_stages(TargetMachine &machine,
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

} // namespace gpuexec
