//===-- emulator/amdgpu/image/image.h - A loaded code object ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a code object, copies its segments to device-visible memory and
// applies dynamic relocations. The bytes are untrusted: every range is checked
// before it is used. LLVM's "User Guide for AMDGPU Backend", section "ELF Code
// Object".
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_IMAGE_IMAGE_H
#define GPUEXEC_EMULATOR_AMDGPU_IMAGE_IMAGE_H

#include "emulator/amdgpu/abi/launch_payload.h"
#include "emulator/machine/machine.h"
#include "gpu/amd_processor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace gpuexec::emulator::amdgpu {

/// A variable or a kernel of an image.
struct ImageSymbol {
  std::string name; // kernels end in .kd
  bool is_kernel = false;
  uint64_t address = 0; // of the variable, or of the kernel's descriptor
  uint64_t size = 0;
  bool is_global = true, is_const = false;
  // Kernels, in bytes; stack and arguments as the descriptor says.
  uint32_t kernarg_size = 0, kernarg_alignment = 16;
  uint32_t group_size = 0, private_size = 0;
  bool dynamic_stack = false;
};

class LoadedImage {
public:
  /// Address of a symbol that the client defined, or 0.
  using Resolver = std::function<uint64_t(llvm::StringRef name)>;

  /// The error's text says what is wrong with the code object. `incompatible`
  /// is set when it is sound but made for another processor.
  static llvm::Expected<std::unique_ptr<LoadedImage>>
  load(Machine &machine, const gpu::AmdProcessor &processor,
       llvm::StringRef bytes, const Resolver &resolve, bool &incompatible);
  /// The memory is released once no wave can be using it.
  ~LoadedImage();

  struct Segment {
    uint64_t begin, size; // in memory
    uint64_t file_offset, file_size;
    bool writable, executable;
  };
  uint64_t base = 0, size = 0; // in memory
  uint64_t delta = 0;          // address in memory minus address in the ELF
  std::vector<Segment> segments;
  std::vector<ImageSymbol> symbols;
  std::shared_ptr<SymbolSource> names; // for reports
  KnownFunctions known;                // with Options::check_uninitialized

private:
  explicit LoadedImage(Machine &machine) : machine(machine) {}
  void add_regions();

  Machine &machine;
  uint64_t mapped = 0;
  PageAllocator *pages = nullptr; // the one that allocated `base`
  std::vector<uint64_t> regions;
  std::vector<std::unique_ptr<uint8_t[]>> shadows; // see Region::shadow
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_IMAGE_IMAGE_H
