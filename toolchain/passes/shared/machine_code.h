//===-- toolchain/passes/shared/machine_code.h - LLVM's faults --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What works around faults of LLVM on the way from optimised IR to machine code
// of AMD GPUs. The plugin uses it for gpucc, and gpuexec-ptx for what it
// translates from PTX: a new row of passes.def reaches both.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

namespace llvm {
class TargetMachine;
class TargetPassConfig;
} // namespace llvm

namespace gpuexec {

/// Keeps passes of LLVM's optimiser from what they break: skips
/// InferAddressSpaces or mends a function before it, and hides values from
/// AMD's attributor.
void guard_optimizer(llvm::PassInstrumentationCallbacks &callbacks);

/// Runs the passes of kind `fixes` and stage Backend on a module for AMD GPUs,
/// after optimisation. The functions have the attribute target-cpu. The plugin
/// runs all kinds of the stage instead.
void fix_before_code_generation(llvm::Module &module);

/// Adds the stages of code generation (Structurizer to Emission) to the
/// pipeline if it is AMD's. They are all of kind `fixes`.
void add_code_generation_stages(llvm::TargetMachine &machine,
                                llvm::TargetPassConfig *config);

} // namespace gpuexec
