//===-- toolchain/gpucc/cuda_uses.h - What a CUDA source uses --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA 11 and before had types `texture<...>` and `surface<...>` for variables
// that are bound to memory. Programs of today use these names for things of
// their own, so our headers have the types only where a source needs them.
// Managed variables need a plugin of clang's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_CUDA_USES_H
#define GPUEXEC_GPUCC_CUDA_USES_H

#include "toolchain/gpucc/machine.h"
#include <string>
#include <vector>

namespace gpuexec {

/// What a source names, or a file that it includes by "...".
struct CudaUses {
  bool references = false; ///< `texture<` or `surface<`, and defines neither
  bool managed = false;    ///< `__managed__`
};

/// Reads up to 200 files. `folders`: where files are looked for besides the
/// folder of the file that includes them.
CudaUses cuda_uses(const std::string &source,
                   const std::vector<std::string> &folders,
                   const Machine &machine);

/// The folders of -I and -iquote in a command line.
std::vector<std::string>
include_folders(const std::vector<std::string> &options);

} // namespace gpuexec

#endif
