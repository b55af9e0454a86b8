//===-- emulator/cuda/libraries/host_blas.h - The host's BLAS ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's library, which services/blas calls too, found when the process
// runs. It stays open.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_HOST_BLAS_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_HOST_BLAS_H

#include "cblas.h" // services/blas generates it

namespace gpuexec::host_blas {

/// Whether there is one. If not, says on standard error that `library`, one of
/// CUDA's, needs it.
bool is_there(const char *library);

/// A function of the host's BLAS. Ends the process with a message when it has
/// none of that name.
void *find_function(const char *name);

/// A function of the host's LAPACK by Fortran's name: of the same library, else
/// of liblapack.so.3. Ends the process as find_function() does.
void *find_lapack(const char *name);

} // namespace gpuexec::host_blas

/// A function of CBLAS, looked up once.
#define GPUEXEC_CBLAS(NAME)                                                    \
  ([] {                                                                        \
    static const auto found = reinterpret_cast<decltype(&NAME)>(               \
        gpuexec::host_blas::find_function(#NAME));                             \
    return found;                                                              \
  }())

#endif
