//===-- toolchain/cuda/include/nvtx3/nvToolsExtCudaRt.h - See nvToolsExt.h ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of NVTX's interface.
// Names of the runtime's devices, streams and events, without effect.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_NVTX3_NVTOOLSEXTCUDART_H
#define GPUEXEC_CUDA_NVTX3_NVTOOLSEXTCUDART_H

#include "nvToolsExt.h"
#include <driver_types.h>

#define NVTX_RESOURCE_CLASS_CUDART 5
typedef enum nvtxResourceCUDARTType_t {
  NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0),
  NVTX_RESOURCE_TYPE_CUDART_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDART, 1),
  NVTX_RESOURCE_TYPE_CUDART_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDART, 2)
} nvtxResourceCUDARTType_t;

#ifdef __cplusplus
extern "C" {
#endif
GPUEXEC_NVTX_NAMED(void, nvtxNameCudaDevice, , int device)
GPUEXEC_NVTX_NAMED(void, nvtxNameCudaStream, , cudaStream_t stream)
GPUEXEC_NVTX_NAMED(void, nvtxNameCudaEvent, , cudaEvent_t event)
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif
// NOLINTEND
