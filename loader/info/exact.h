//===-- loader/info/exact.h - Resources of compiled PTX ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many registers PTX needs is known only after it is compiled. A CUDA
// driver compiles for its own GPU, ptxas of a CUDA toolkit for any
// architecture.

#ifndef GPUEXEC_LOADER_INFO_EXACT_H
#define GPUEXEC_LOADER_INFO_EXACT_H

#include "loader/image/image.h"
#include <map>

namespace gpuexec::info {

struct ExactResources {
  std::map<std::string, Resources> kernels;
  std::string source; ///< "the CUDA driver for sm_90" or "ptxas for sm_75"
};

/// Compiles with the CUDA driver when there is one and `arch` is empty, else
/// with ptxas for `arch` (empty: the PTX's own target). Fails when there is
/// neither, or the PTX does not compile.
llvm::Expected<ExactResources> compile_ptx(const Image &image,
                                           llvm::StringRef arch);

} // namespace gpuexec::info

#endif
