//===-- toolchain/gpucc/cuda_references.h - CUDA 11's textures --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA 11 and before had types `texture<...>` and `surface<...>` for variables
// that are bound to memory. Programs of today use these names for things of
// their own, so our headers have the types only where a source needs them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_CUDA_REFERENCES_H
#define GPUEXEC_GPUCC_CUDA_REFERENCES_H

#include "toolchain/gpucc/machine.h"
#include <string>
#include <vector>

namespace gpuexec {

/// Does the source, or a file that it includes by "...", declare variables of
/// these types, and define neither? Reads up to 200 files. `folders`: where
/// files are looked for besides the folder of the file that includes them.
bool uses_references(const std::string &source,
                     const std::vector<std::string> &folders,
                     const Machine &machine);

/// The folders of -I and -iquote in a command line.
std::vector<std::string>
include_folders(const std::vector<std::string> &options);

} // namespace gpuexec

#endif
