//===-- loader/blas/blas.h - gpuexec blas -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a native program with a library before its BLAS, which has a
// GPU do what is faster there: offload/blas/.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_BLAS_BLAS_H
#define GPUEXEC_LOADER_BLAS_BLAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuexec::blas {

/// `gpuexec blas`: `argv` is what follows, and a null pointer behind it. This
/// process becomes the program; it returns after --help. Errors: Failure.
/// `is_missing`: there is no such program.
llvm::Error run(llvm::ArrayRef<char *> argv, bool &is_missing);

} // namespace gpuexec::blas

#endif
