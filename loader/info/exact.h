//===-- loader/info/exact.h - What PTX becomes ------------------*- C++ -*-===//
// PTX has no registers before it is compiled. A CUDA driver tells them for its
// GPU; without one, ptxas of a CUDA toolkit does for any architecture.

#ifndef GPUEXEC_LOADER_INFO_EXACT_H
#define GPUEXEC_LOADER_INFO_EXACT_H

#include "loader/image/image.h"
#include <map>

namespace gpuexec::info {

struct ExactResources {
  std::map<std::string, Resources> kernels;
  std::string source; ///< "the CUDA driver for sm_90" or "ptxas for sm_75"
};

/// `arch`: for ptxas, empty = the PTX's own; a driver is not asked when it is
/// given. Errors: neither is at hand, or the PTX does not compile.
llvm::Expected<ExactResources> compile_ptx(const Image &image,
                                           llvm::StringRef arch);

} // namespace gpuexec::info

#endif
