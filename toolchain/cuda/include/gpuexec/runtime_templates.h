//===-- toolchain/cuda/include/gpuexec/runtime_templates.h - The runtime's functions for C++ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of the runtime's functions that take kernels, symbols and pointers of
// any type.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RUNTIME_TEMPLATES_H
#define GPUEXEC_CUDA_RUNTIME_TEMPLATES_H

#include "channel_formats.h"
#include <cuda_runtime_api.h>

//===-- Memory ------------------------------------------------------------===//

template <class T> cudaError_t cudaMalloc(T **pointer, size_t size) {
  return ::cudaMalloc((void **)(void *)pointer, size);
}
template <class T>
cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)pointer, size, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)pointer, size, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **pointer, void *host,
                                     unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)pointer, host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t size,
                              unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)pointer, size, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width,
                            size_t height) {
  return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)pointer, size, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool,
                            cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, size, pool,
                                   stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size,
                                    cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, size, pool,
                                   stream);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *memory,
                                     size_t length = 0,
                                     unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)memory, length, flags);
}

/// As CUDA 13 spells it.
static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size,
                                               cudaMemLocation to,
                                               unsigned int flags,
                                               cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(memory, size, to, flags, stream);
}
static inline cudaError_t cudaMemAdvise(const void *memory, size_t size,
                                        cudaMemoryAdvise advice,
                                        cudaMemLocation where) {
  return ::cudaMemAdvise_v2(memory, size, advice, where);
}

//===-- Variables of the device -------------------------------------------===//

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count,
                               size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, from, count, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t count, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, count, offset,
                                   kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count,
                                 size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, count, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(
    void *to, const T &symbol, size_t count, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, count, offset,
                                     kind, stream);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
  return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
  return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

//===-- Kernels -----------------------------------------------------------===//

template <class T>
cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments,
                            shared, stream);
}
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                        void **arguments, size_t shared = 0,
                                        cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block,
                                       arguments, shared, stream);
}
/// Converts each argument to the type that the kernel's parameter has.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                               void (*kernel)(Parameters...),
                               Arguments &&...arguments) {
  return [&](Parameters... converted) {
    void *pointers[] = {(void *)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
  }(static_cast<Arguments &&>(arguments)...);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute,
                                 int value) {
  return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel) {
  return ::cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <class T> cudaError_t cudaGetKernel(cudaKernel_t *to, T *kernel) {
  return ::cudaGetKernel(to, (const void *)kernel);
}

//===-- Occupancy ---------------------------------------------------------===//

template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                                          int threads,
                                                          size_t shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)kernel, threads, shared, cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T kernel, int threads, size_t shared, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)kernel, threads, shared, flags);
}

/// The block size with which most threads of `kernel` are active on a
/// multiprocessor, and the blocks that fill the device. `shared_of` says how
/// much dynamic shared memory a block of a size needs.
template <class SharedOf, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T kernel, SharedOf shared_of, int limit = 0,
    unsigned int flags = 0) {
  int device, processors, threads, warp;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (!error)
    error = ::cudaDeviceGetAttribute(&processors,
                                     cudaDevAttrMultiProcessorCount, device);
  if (!error)
    error = ::cudaDeviceGetAttribute(
        &threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (!error)
    error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (!error)
    error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
  if (error)
    return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  int best = 0, best_blocks = 0;
  const int first = (most + warp - 1) / warp * warp;
  for (int size = first; size > 0; size -= warp) {
    const int tried = size < most ? size : most;
    int blocks;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void *)kernel, tried, shared_of(tried), flags);
    if (error)
      return error;
    if (tried * blocks > best * best_blocks) {
      best = tried;
      best_blocks = blocks;
    }
    if (best * best_blocks == threads)
      break;
  }
  *block = best;
  *grid = best_blocks * processors;
  return cudaSuccess;
}
template <class SharedOf, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid,
                                                           int *block, T kernel,
                                                           SharedOf shared_of,
                                                           int limit = 0) {
  return ::cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid, block, kernel, shared_of, limit, cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel,
                                               size_t shared = 0,
                                               int limit = 0) {
  return ::cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid, block, kernel, [=](int) { return shared; }, limit,
      cudaOccupancyDefault);
}
template <class T>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel,
                                            size_t shared = 0, int limit = 0,
                                            unsigned int flags = 0) {
  return ::cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid, block, kernel, [=](int) { return shared; }, limit, flags);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *kernel,
                                                      int blocks, int threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      shared, (const void *)kernel, blocks, threads);
}
template <class T>
cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel,
                                     const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel,
                                                config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *kernel,
                                           const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel,
                                          config);
}

//===-- Events and graphs -------------------------------------------------===//

static inline cudaError_t cudaEventCreate(cudaEvent_t *event,
                                          unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to,
                                               cudaGraph_t graph,
                                               cudaGraphNode_t *error_node,
                                               char *log, size_t size) {
  if (error_node)
    *error_node = 0;
  if (log && size)
    *log = 0;
  return ::cudaGraphInstantiate(to, graph, 0);
}

#endif
