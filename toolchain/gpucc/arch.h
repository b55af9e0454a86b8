//===-- toolchain/gpucc/arch.h - Which GPU to compile for -------*- C++ -*-===//
// Names of processors, as clang has them, and the GPU of this machine. Nothing
// here initialises a driver unless one is there.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_ARCH_H
#define GPUEXEC_GPUCC_ARCH_H

#include <optional>
#include <string>
#include <string_view>

namespace gpuexec {

enum class Vendor { amd, nvidia };

/// AMD for gfx..., NVIDIA for sm_...; nothing for any other name.
std::optional<Vendor> vendor_of(std::string_view arch);

/// The first GPU of this machine: NVIDIA's through its driver library, AMD's
/// from the kernel's topology files. Nothing when there is none.
std::optional<std::string> native_arch();

} // namespace gpuexec

#endif
