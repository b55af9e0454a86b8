//===-- toolchain/cuda/include/nvtx3/nvToolsExtCuda.h - See nvToolsExt.h --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of NVTX's interface.
// Names of the driver's devices, contexts, streams and events, without effect.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_NVTX3_NVTOOLSEXTCUDA_H
#define GPUEXEC_CUDA_NVTX3_NVTOOLSEXTCUDA_H

#include "nvToolsExt.h"
#include <cuda.h>

#define NVTX_RESOURCE_CLASS_CUDA 4
typedef enum nvtxResourceCUDAType_t {
  NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),
  NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2),
  NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),
  NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4)
} nvtxResourceCUDAType_t;

#ifdef __cplusplus
extern "C" {
#endif
GPUEXEC_NVTX_NAMED(void, nvtxNameCuDevice, , CUdevice device)
GPUEXEC_NVTX_NAMED(void, nvtxNameCuContext, , CUcontext context)
GPUEXEC_NVTX_NAMED(void, nvtxNameCuStream, , CUstream stream)
GPUEXEC_NVTX_NAMED(void, nvtxNameCuEvent, , CUevent event)
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif
// NOLINTEND
