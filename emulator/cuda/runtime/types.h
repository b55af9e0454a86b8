//===-- emulator/cuda/runtime/types.h - CUDA's runtime interface ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public header of CUDA's runtime API, whose functions this library
// exports, and the driver API, through which alone it works.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_RUNTIME_TYPES_H
#define GPUEXEC_EMULATOR_CUDA_RUNTIME_TYPES_H

#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cuda_runtime_api.h"

#include "toolchain/cuda/include/cuda.h"
#pragma GCC visibility pop
// Words of the language that the C++ library uses as names of attributes.
#undef __noinline__
#undef __forceinline__

/// A function that the library exports and the header does not declare.
#define GPUEXEC_CUDART_EXPORT extern "C" __attribute__((visibility("default")))

#endif
