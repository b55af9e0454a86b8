//===-- emulator/amdgpu/jit/compiler.h - From LLVM IR to code ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the JIT that uses LLVM's optimiser and code generator. It knows
// nothing of waves: it creates modules in which the operations of
// operations.cpp can be declared, and compiles a finished module to machine
// code.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILER_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILER_H

#include "emulator/amdgpu/jit/jit.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace gpuexec::emulator::amdgpu {
struct Operation;
enum class Variant : uint8_t;
} // namespace gpuexec::emulator::amdgpu

namespace gpuexec::emulator::amdgpu::jit {

/// Not thread-safe: one thread compiles.
class Compiler {
public:
  static llvm::Expected<std::unique_ptr<Compiler>> create();
  ~Compiler();

  /// An empty module for this machine, in a context of its own.
  struct Work {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
  };
  Work begin(llvm::StringRef name);

  /// The bitcode function of the operation in its variant, as a declaration in
  /// `module`; null when there is none. Modules are linked by symbol, so it has
  /// a name: op_ and the name of the operation's row, which operations.cpp and
  /// the table both get from the same line of ops/*.def.
  llvm::Function *operation(llvm::Module &module, const Operation &operation,
                            Variant variant);

  /// Links in the operations that are used, optimises, generates code. The
  /// module has an array HOST_POINTERS for `pointers` and the `entries`
  /// functions entry_name(0), entry_name(1) ...: the code's handlers.
  llvm::Expected<CompiledCode> finish(Work work, Tier tier, unsigned entries,
                                      std::vector<HostPointer> pointers);
  static constexpr const char *HOST_POINTERS = "host_pointers";
  static std::string entry_name(unsigned number) {
    return "entry." + std::to_string(number);
  }

private:
  Compiler();
  llvm::Error link_operations(Work &work);
  void optimise(llvm::Module &module, Tier tier);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  generate(llvm::Module &module, Tier tier);

  std::unique_ptr<llvm::TargetMachine> machines[TIERS];
  // The operations' names: known without parsing their bodies.
  struct Operations;
  std::unique_ptr<Operations> operations;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILER_H
