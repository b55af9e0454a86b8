//===-- toolchain/gpucc/arch.cpp - See arch.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/arch.h"
#include <cstdlib>

namespace gpuexec {

std::optional<Vendor> vendor_of(std::string_view arch) {
  if (arch.starts_with("gfx"))
    return Vendor::amd;
  if (arch.starts_with("sm_"))
    return Vendor::nvidia;
  return std::nullopt;
}

std::string choose_arch(const std::string &wanted, const Machine &machine,
                        std::string &problem) {
  std::string arch = wanted;
  if (arch == "native") {
    auto native = machine.native_arch();
    if (!native) {
      problem = "--arch=native: no GPU found on this machine (name one: "
                "--arch=gfx942, --arch=sm_90)";
      return "";
    }
    arch = *native;
  } else if (arch == "default") {
    arch = machine.native_arch().value_or("gfx942");
  }
  if (!vendor_of(arch))
    problem = "--arch=" + wanted +
              ": not a GPU's name; AMD's begin with gfx, NVIDIA's with sm_";
  else if (vendor_of(arch) == Vendor::nvidia && atoi(arch.c_str() + 3) < 70)
    problem = "--arch=" + wanted + ": sm_70 is the oldest that is supported";
  else
    return arch;
  return "";
}

const char *ptx_feature(std::string_view arch) {
  int number = atoi(std::string(arch.substr(3)).c_str());
  struct {
    int arch;
    const char *feature;
  } const first[] = {{120, "+ptx87"},
                     {100, "+ptx86"},
                     {90, "+ptx78"},
                     {89, "+ptx78"},
                     {87, "+ptx74"}};
  for (auto &entry : first)
    if (number >= entry.arch)
      return entry.feature;
  return "+ptx73";
}

} // namespace gpuexec
