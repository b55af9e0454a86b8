//===-- emulator/cuda/driver/types.h - CUDA's driver interface --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public header of CUDA's driver API, whose functions this library exports.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_TYPES_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_TYPES_H

#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cuda.h"
#pragma GCC visibility pop

/// A function that the library exports and the header does not declare.
#define GPUEXEC_CUDA_EXPORT extern "C" __attribute__((visibility("default")))

#endif
