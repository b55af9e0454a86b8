//===-- loader/apps/cuda/program.h - Programs that use CUDA -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_CUDA_PROGRAM_H
#define GPUEXEC_LOADER_APPS_CUDA_PROGRAM_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec::cuda {

/// Where the shell would find the program.
llvm::Expected<std::string> find_program(llvm::StringRef name);

/// An error for a program that would not use the libraries of gpuexec: one that
/// has NVIDIA's runtime in it, is linked statically, or is for a GPU.
llvm::Error check_program(const std::string &path);

} // namespace gpuexec::cuda

#endif
