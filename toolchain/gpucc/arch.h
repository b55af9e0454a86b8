//===-- toolchain/gpucc/arch.h - Which GPU to compile for -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU processors by the names that clang uses: gfx942, sm_90.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_ARCH_H
#define GPUEXEC_GPUCC_ARCH_H

#include "toolchain/gpucc/machine.h"
#include <optional>
#include <string>
#include <string_view>

namespace gpuexec {

enum class Vendor { amd, nvidia };

/// The vendor of a processor: AMD for gfx..., NVIDIA for sm_...; nothing for
/// any other name.
std::optional<Vendor> vendor_of(std::string_view arch);

/// The processor that `wanted`, the value of --arch, means: "native" is this
/// machine's GPU; "default" is that GPU or, without one, gfx942; any other name
/// is itself. Returns "" where there is no such processor or it is not
/// supported, and says why in `problem`.
std::string choose_arch(const std::string &wanted, const Machine &machine,
                        std::string &problem);

/// clang's feature ("+ptx73") for the lowest PTX version that has both this
/// NVIDIA processor and alloca, which variable-length arrays need. PTX 7.3
/// needs a driver of version 465 or later.
const char *ptx_feature(std::string_view arch);

} // namespace gpuexec

#endif
