//===-- emulator/cuda/driver/missing.cpp - Functions that are missing -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file must not see CUDA's header, which gives the functions parameters.
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cstdio>

/// The table of functions: the emulated device's, or the lent one's.
#ifndef GPUEXEC_CUDA_FUNCTIONS
#define GPUEXEC_CUDA_FUNCTIONS "emulator/cuda/driver/functions.def"
#endif

static constexpr int NOT_SUPPORTED = 801; // CUDA_ERROR_NOT_SUPPORTED

#define FUNCTION(NAME)
#define MISSING(NAME)                                                          \
  extern "C" __attribute__((visibility("default"))) int NAME() {               \
    static std::atomic<bool> is_said{false};                                   \
    if (!is_said.exchange(true))                                               \
      fprintf(stderr, "gpuexec cuda: %s is not supported\n", #NAME);           \
    return NOT_SUPPORTED;                                                      \
  }
#include GPUEXEC_CUDA_FUNCTIONS
