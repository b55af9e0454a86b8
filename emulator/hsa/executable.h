//===-- emulator/hsa/executable.h - Loaded code objects ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An executable owns its loaded code objects: their memory, symbols and
// kernels. HSA 1.2, section 2.10.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_EXECUTABLE_H
#define GPUEXEC_EMULATOR_HSA_EXECUTABLE_H

#include "emulator/hsa/code_object.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuexec::emulator {

class Runtime;
/// A symbol of an image, or one that the client defined.
struct ExecutableSymbol : amdgpu::ImageSymbol {
  const Agent *agent = nullptr;       ///< null: defined for all agents
  LoadedCodeObject *object = nullptr; ///< null: defined by the client
  hsa_symbol_kind_t kind() const {
    return is_kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE;
  }
  hsa_executable_symbol_t handle() const {
    return {reinterpret_cast<uint64_t>(this)};
  }
};

class Executable {
public:
  Executable(Runtime &runtime, hsa_profile_t profile,
             hsa_default_float_rounding_mode_t rounding);
  ~Executable();

  /// Loads a code object; `loaded` may be null. An error is also reported in
  /// words (Machine::reports).
  hsa_status_t load(const Agent &agent,
                    std::shared_ptr<const CodeObjectBytes> bytes,
                    LoadedCodeObject **loaded);
  hsa_status_t freeze();
  /// Defines a symbol for code objects that are loaded later. `agent`: null for
  /// all agents.
  hsa_status_t define(const Agent *agent, const char *name, void *address,
                      bool constant);
  bool frozen() const { return is_frozen; }

  const ExecutableSymbol *find(llvm::StringRef name, const Agent *agent) const;
  std::vector<const ExecutableSymbol *> symbols() const;
  bool owns(const ExecutableSymbol *symbol) const;
  const std::vector<std::unique_ptr<LoadedCodeObject>> &objects() const {
    return loaded;
  }

  /// The kernel whose descriptor is at this address, ready to run. An error if
  /// the executable has no such kernel, or it cannot run.
  struct Ready {
    std::shared_ptr<KernelCode> code;
    std::shared_ptr<SymbolSource> symbols;
    const ExecutableSymbol *symbol = nullptr;
  };
  llvm::Expected<Ready> kernel(uint64_t descriptor);
  bool has_kernel(uint64_t descriptor) const;

  hsa_executable_t handle() const { return {reinterpret_cast<uint64_t>(this)}; }
  const hsa_profile_t profile;
  const hsa_default_float_rounding_mode_t rounding;

private:
  Runtime &runtime;
  mutable std::mutex lock;
  bool is_frozen = false;
  std::vector<std::unique_ptr<LoadedCodeObject>> loaded;
  std::vector<std::unique_ptr<ExecutableSymbol>> all_symbols;
  std::map<uint64_t, ExecutableSymbol *> kernels; // by descriptor, as `ready`
  std::map<uint64_t, std::shared_ptr<KernelCode>> ready;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_EXECUTABLE_H
