//===-- toolchain/gpucc/inputs.h - Checks of input files --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linker that gets an object file of the host treats the rest of the link as
// the host's and reports each file. NVIDIA's drops the file without a word.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_INPUTS_H
#define GPUEXEC_GPUCC_INPUTS_H

#include "toolchain/gpucc/arch.h"
#include <string>
#include <vector>

namespace gpuexec {

/// What is wrong with the object files and archives among clang's arguments, in
/// one line, or "". An archive is judged by its first object. Bitcode and files
/// that are no objects are left to clang.
std::string check_inputs(const std::vector<std::string> &arguments,
                         Vendor vendor, const Machine &machine);

} // namespace gpuexec

#endif
