//===-- toolchain/gpucc/arch.h - Which GPU to compile for -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of processors, as clang has them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_ARCH_H
#define GPUEXEC_GPUCC_ARCH_H

#include "toolchain/gpucc/machine.h"
#include <optional>
#include <string>
#include <string_view>

namespace gpuexec {

enum class Vendor { amd, nvidia };

/// AMD for gfx..., NVIDIA for sm_...; nothing for any other name.
std::optional<Vendor> vendor_of(std::string_view arch);

/// The processor that `wanted` means: itself, this machine's GPU for "native",
/// and for "default" that GPU or, without one, gfx942. Empty when there is no
/// such processor; then `problem` says so.
std::string choose_arch(const std::string &wanted, const Machine &machine,
                        std::string &problem);

/// The feature that selects the lowest PTX version with this processor and
/// alloca, which arrays of variable length need. Drivers from 465 on read it.
const char *ptx_feature(std::string_view arch);

} // namespace gpuexec

#endif
