//===-- gpu/amd_processor.h - AMD's processors ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's processors, for the loader, gpuexec-info and the emulator: names,
// numbers in ELF headers, generic processors, sizes of register files and LDS.
// The facts are in amd_processors.def, which names the sections of LLVM's
// guide.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPU_AMD_PROCESSOR_H
#define GPUEXEC_GPU_AMD_PROCESSOR_H

#include <cstdint>
#include <string_view>

namespace gpuexec::gpu {

/// The resources of one SIMD, and of one compute unit (gfx9) or work-group
/// processor (gfx10 and later). amd_processors.def explains the members.
struct AmdLimits {
  uint32_t vgprs; ///< per SIMD and lane; 0: the limits are not known
  uint32_t vgpr_granule;
  uint32_t waves; ///< per SIMD
  bool sgprs_limit;
  bool unified_registers;
  uint32_t lds;         ///< bytes
  uint32_t lds_granule; ///< bytes
  /// Compute units that share the LDS: 2 in a work-group processor.
  constexpr uint32_t compute_units() const { return sgprs_limit ? 1 : 2; }
  /// Bytes of LDS that one block can have.
  constexpr uint32_t lds_of_block() const { return lds / compute_units(); }
  constexpr uint32_t wave_size() const { return sgprs_limit ? 64 : 32; }
};

struct AmdProcessor {
  uint32_t machine;         ///< EF_AMDGPU_MACH; 0: LLVM has dropped it
  std::string_view name;    ///< gfx942
  std::string_view generic; ///< gfx9-4-generic; empty: none covers it
  AmdLimits limits;
};

#define AMD_LIMITS(NAME, ...)                                                  \
  inline constexpr AmdLimits AMD_##NAME{__VA_ARGS__};
#include "gpu/amd_processors.def"

inline constexpr AmdProcessor AMD_PROCESSORS[] = {
#define AMD_PROCESSOR(MACHINE, SUFFIX, NAME, GENERIC, LIMITS)                  \
  {MACHINE, NAME, GENERIC, AMD_##LIMITS},
#include "gpu/amd_processors.def"
};

/// SIMDs of a compute unit, and of a work-group processor from gfx10 on.
inline constexpr uint32_t AMD_SIMDS = 4;

/// The processor of that name, or null.
constexpr const AmdProcessor *find_amd_processor(std::string_view name) {
  for (const AmdProcessor &processor : AMD_PROCESSORS)
    if (processor.name == name)
      return &processor;
  return nullptr;
}

/// EF_AMDGPU_MACH of an ELF header's e_flags.
constexpr uint32_t amd_machine(uint32_t e_flags) { return e_flags & 0xff; }

/// The processor that an ELF header's e_flags name, or null.
constexpr const AmdProcessor *find_amd_processor(uint32_t e_flags) {
  for (const AmdProcessor &processor : AMD_PROCESSORS)
    if (processor.machine && processor.machine == amd_machine(e_flags))
      return &processor;
  return nullptr;
}

/// The setting of XNACK or SRAMECC that an image requires (e_flags, code object
/// V4 and later).
enum class AmdFeature : uint8_t { unsupported, any, off, on };
constexpr AmdFeature amd_xnack(uint32_t e_flags) {
  return AmdFeature(e_flags >> 8 & 3);
}
constexpr AmdFeature amd_sramecc(uint32_t e_flags) {
  return AmdFeature(e_flags >> 10 & 3);
}

} // namespace gpuexec::gpu

#endif // GPUEXEC_GPU_AMD_PROCESSOR_H
