//===-- toolchain/gpucc/inputs.cpp - See inputs.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/inputs.h"
#include <elf.h>
#include <optional>

namespace gpuexec {
namespace {

constexpr unsigned MACHINE_AMDGPU = 224; // EM_AMDGPU, not in every <elf.h>
constexpr unsigned MACHINE_CUDA = 190;

std::string machine_name(unsigned machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86-64";
  case EM_386:
    return "i386";
  case EM_AARCH64:
    return "AArch64";
  case MACHINE_AMDGPU:
    return "an AMD GPU";
  case MACHINE_CUDA:
    return "an NVIDIA GPU";
  }
  return "ELF machine " + std::to_string(machine);
}

/// Is the next argument the value of this option? Knows only options whose
/// value could be taken for an input file that is ELF.
bool takes_a_file(const std::string &option) {
  return option == "-o" || option == "-mllvm" || option.starts_with("-X");
}

/// The arguments that can be input files.
template <class Visit>
void for_each_file(const std::vector<std::string> &arguments, Visit visit) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].starts_with('-'))
      i += takes_a_file(arguments[i]);
    else
      visit(arguments[i]);
}

} // namespace

std::string check_inputs(const std::vector<std::string> &arguments,
                         Vendor vendor, const Machine &machine) {
  const unsigned wanted =
      vendor == Vendor::nvidia ? MACHINE_CUDA : MACHINE_AMDGPU;
  std::string error;
  for_each_file(arguments, [&](const std::string &path) {
    const std::optional<unsigned> found = machine.elf_machine(path);
    if (error.empty() && found && *found != wanted)
      error = path + ": made for " + machine_name(*found) + ", not for " +
              machine_name(wanted) + " (compile its source with gpucc)";
  });
  return error;
}

bool has_cuda_object(const std::vector<std::string> &arguments,
                     const Machine &machine) {
  bool found = false;
  for_each_file(arguments, [&](const std::string &path) {
    // The section that tells libcudart of the device's code.
    found = found || (machine.elf_machine(path) == EM_X86_64 &&
                      machine.text_of(path).find(".nvFatBinSegment") !=
                          std::string::npos);
  });
  return found;
}

} // namespace gpuexec
