//===-- lending/cuda/worker/driver.cpp - See driver.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/worker/driver.h"

namespace gpuexec::lent_cuda {

std::string Driver::open(const std::string &library) {
  void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return ::dlerror();
  const char names[] = GPUEXEC_LENT_CUDA_FUNCTIONS(DRIVER_NAME)
#define OWN(NAME)
#define FORWARD(NAME, MODE, PARAMETERS, ARGUMENTS) DRIVER_NAME(NAME)
#include "lending/cuda/calls.def"
      "cuCtxCreate_v2\0";
  if (const char *missing = bind_functions(handle, names, this))
    return library + " has no " + missing +
           " (CUDA programs need a driver of CUDA 12.4 or newer)";
  return {};
}

} // namespace gpuexec::lent_cuda
