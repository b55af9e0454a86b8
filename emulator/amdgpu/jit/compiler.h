//===-- emulator/amdgpu/jit/compiler.h - From LLVM IR to code ---*- C++ -*-===//
// The part of the JIT that uses LLVM's optimiser and ORC. It knows nothing of
// waves: it creates modules in which the operations of operations.cpp can be
// declared, and compiles a finished module to machine code.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILER_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILER_H

#include "emulator/amdgpu/jit/jit.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
namespace orc {
class LLJIT;
}
} // namespace llvm

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

  /// Links in the operations that are used, optimises, generates code. Returns
  /// the address of `function`. The code lives as long as the compiler.
  llvm::Expected<void *> finish(Work work, llvm::StringRef function, Tier tier);

private:
  Compiler();
  llvm::Error link_operations(Work &work);
  void optimise(llvm::Module &module, Tier tier);
  llvm::Expected<llvm::orc::LLJIT &> generator(Tier tier);

  std::unique_ptr<llvm::orc::LLJIT> generators[TIERS]; // made when needed
  std::unique_ptr<llvm::TargetMachine> machine;
  // The operations' names: known without parsing their bodies.
  struct Operations;
  std::unique_ptr<Operations> operations;
  unsigned compiled = 0;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILER_H
