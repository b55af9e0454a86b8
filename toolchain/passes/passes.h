//===-- toolchain/passes/passes.h - What the linker adds for AMD's GPUs ---===//
#pragma once
#include <llvm/IR/PassManager.h>

namespace gpuexec {

/// See keep_phi_values.cpp.
class KeepPhiValues : public llvm::PassInfoMixin<KeepPhiValues> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; } // at -O0 and for optnone too
};

/// See lower_computed_jumps.cpp.
class LowerComputedJumps : public llvm::PassInfoMixin<LowerComputedJumps> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace gpuexec
