//===-- cuda_device_runtime_api.h - The runtime's functions on the device -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions with which device code launches kernels (CUDA Programming
// Guide, "CUDA Dynamic Parallelism"). They are declared, because Thrust names
// them in code that only a device calls. There are no definitions: device code
// that does call them does not load.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CUDA_DEVICE_RUNTIME_API_H
#define GPUEXEC_CUDA_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#ifdef __CUDA__
extern "C" {
/// Memory for the parameters of a kernel that cudaLaunchDevice() launches.
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
/// Launches a kernel. The memory came from cudaGetParameterBuffer().
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters,
                                        dim3 grid, dim3 block, unsigned shared,
                                        cudaStream_t stream);
/// cudaDeviceSynchronize() of device code, by the name that CUB calls.
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
}
#endif

#endif
