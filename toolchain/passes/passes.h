//===-- toolchain/passes/passes.h - What the linker adds for GPUs ---------===//
#pragma once
#include <llvm/IR/PassManager.h>

namespace gpuexec {

/// See keep_phi_values.cpp. Does nothing but for AMD's GPUs.
class KeepPhiValues : public llvm::PassInfoMixin<KeepPhiValues> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; } // at -O0 and for optnone too
};

/// See keep_select_conditions.cpp. Does nothing but for AMD's GPUs.
class KeepSelectConditions : public llvm::PassInfoMixin<KeepSelectConditions> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See lower_computed_jumps.cpp. Does nothing but for AMD's GPUs.
class LowerComputedJumps : public llvm::PassInfoMixin<LowerComputedJumps> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See scale_stack.cpp. Does nothing but for AMD's GPUs.
class ScaleStack : public llvm::PassInfoMixin<ScaleStack> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See order_atomics.cpp. Does nothing but for NVIDIA's GPUs.
class OrderAtomics : public llvm::PassInfoMixin<OrderAtomics> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See complete_main.cpp. Does nothing but for NVIDIA's GPUs.
class CompleteMain : public llvm::PassInfoMixin<CompleteMain> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See rename_system_calls.cpp. Does nothing but for NVIDIA's GPUs.
class RenameSystemCalls : public llvm::PassInfoMixin<RenameSystemCalls> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See complete_variadic_calls.cpp.
class CompleteVariadicCalls
    : public llvm::PassInfoMixin<CompleteVariadicCalls> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// See round_stack.cpp. Does nothing but for NVIDIA's GPUs.
class RoundStack : public llvm::PassInfoMixin<RoundStack> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace gpuexec
