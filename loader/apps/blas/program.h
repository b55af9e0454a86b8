//===-- loader/apps/blas/program.h - Programs that take a library ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_BLAS_PROGRAM_H
#define GPUEXEC_LOADER_APPS_BLAS_PROGRAM_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec::blas {

/// Where the shell would find the program.
llvm::Expected<std::string> find_program(llvm::StringRef name);

/// An error for a program before whose BLAS no library can be put: the dynamic
/// linker does not start it, or takes no libraries from its user.
llvm::Error check_program(const std::string &path);

} // namespace gpuexec::blas

#endif
