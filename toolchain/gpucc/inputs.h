//===-- toolchain/gpucc/inputs.h - Checks of input files --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object files of native programs must not reach the linker. AMD's linker would
// then link for the host and report every other file; NVIDIA's leaves the file
// out without a message.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_INPUTS_H
#define GPUEXEC_GPUCC_INPUTS_H

#include "toolchain/gpucc/arch.h"
#include <string>
#include <vector>

namespace gpuexec {

/// An error in one line if an object file or archive among clang's arguments is
/// not for the vendor's GPUs, or "". Of an archive the first object is checked.
/// clang checks bitcode and other files.
std::string check_inputs(const std::vector<std::string> &arguments,
                         Vendor vendor, const Machine &machine);

/// Is an object file or archive among the arguments of a command line a CUDA
/// program's, made for the host by gpucc (or another compiler of CUDA)?
bool has_cuda_object(const std::vector<std::string> &arguments,
                     const Machine &machine);

} // namespace gpuexec

#endif
