//===-- emulator/hsa/code_object.h - AMDGPU ELF into memory -----*- C++ -*-===//
// Checks a code object, copies its segments to device-visible memory and
// applies dynamic relocations. The bytes are untrusted: every range is checked
// before it is used. ELF and relocations: LLVM's AMDGPUUsage, "ELF Code
// Object".
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_CODE_OBJECT_H
#define GPUEXEC_EMULATOR_HSA_CODE_OBJECT_H

#include "emulator/hsa/executable.h"

#include "llvm/Support/Error.h"

#include <functional>

namespace gpuexec::emulator {

class LoadedCodeObject {
public:
  /// Address of a symbol that the client defined, or 0.
  using Resolver = std::function<uint64_t(llvm::StringRef name)>;

  /// The error's text says what is wrong with the code object. incompatible is
  /// set when it is sound but made for another device.
  static llvm::Expected<std::unique_ptr<LoadedCodeObject>>
  load(Runtime &runtime, const Agent &agent,
       std::shared_ptr<const CodeObjectBytes> bytes, const Resolver &resolve,
       bool &incompatible);
  ~LoadedCodeObject();

  struct Segment {
    uint64_t begin, size; // in memory
    uint64_t file_offset, file_size;
    bool writable, executable;
  };
  const Agent &agent;
  std::shared_ptr<const CodeObjectBytes> bytes;
  uint64_t base = 0, size = 0; // in memory
  uint64_t delta = 0;          // address in memory minus address in the ELF
  std::vector<Segment> segments;
  std::vector<ExecutableSymbol> symbols; // moved out by the executable
  std::shared_ptr<SymbolSource>
      names; // for reports, made from the bytes when it is first asked
  std::string uri() const;
  hsa_loaded_code_object_t handle() const {
    return {reinterpret_cast<uint64_t>(this)};
  }

private:
  LoadedCodeObject(Runtime &runtime, const Agent &agent,
                   std::shared_ptr<const CodeObjectBytes> bytes)
      : agent(agent), bytes(std::move(bytes)), runtime(runtime) {}
  Runtime &runtime;
  uint64_t mapped = 0;
  std::vector<uint64_t> regions;
  std::vector<std::unique_ptr<uint8_t[]>> shadows; // see Region::shadow
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_CODE_OBJECT_H
