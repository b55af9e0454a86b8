//===-- emulator/cuda/runtime/version.cpp - What differs by version -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once for each libcudart: GPUEXEC_CUDART_VERSION is 11080, 12040 or
// 13000. Programs that were built with another version have other layouts of
// two structures, and call the same names.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/properties_13.h"
#include "emulator/cuda/runtime/thread.h"

#include <cstddef>
#include <cstring>

using namespace gpuexec::cudart;

#undef cudaGetDeviceProperties

cudaError_t cudaRuntimeGetVersion(int *version) {
  GPUEXEC_CUDART_REQUIRE(version, InvalidValue);
  *version = GPUEXEC_CUDART_VERSION;
  return cudaSuccess;
}

namespace {

CUresult ask(CUdevice_attribute attribute, int device, int &value) {
  return cuDeviceGetAttribute(&value, attribute, device);
}

template <typename Properties>
cudaError_t fill(Properties &properties, int device) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  int count = 0;
  GPUEXEC_CUDART_TRY(cuDeviceGetCount(&count));
  GPUEXEC_CUDART_REQUIRE(device >= 0 && device < count, InvalidDevice);
  memset(&properties, 0, sizeof(properties));
  GPUEXEC_CUDART_TRY(
      cuDeviceGetName(properties.name, sizeof(properties.name), device));
  static_assert(sizeof(properties.uuid) == sizeof(CUuuid));
  GPUEXEC_CUDART_TRY(
      cuDeviceGetUuid_v2(reinterpret_cast<CUuuid *>(&properties.uuid), device));
  GPUEXEC_CUDART_TRY(cuDeviceTotalMem(&properties.totalGlobalMem, device));
  int value = 0;
#define PROPERTY(MEMBER, ATTRIBUTE)                                            \
  GPUEXEC_CUDART_TRY(ask(CU_DEVICE_ATTRIBUTE_##ATTRIBUTE, device, value));     \
  properties.MEMBER = value;
#define PROPERTY_TO_12(MEMBER, ATTRIBUTE)                                      \
  GPUEXEC_CUDART_TRY(ask(CU_DEVICE_ATTRIBUTE_##ATTRIBUTE, device, value));     \
  if constexpr (requires { properties.MEMBER; })                               \
    properties.MEMBER = value;
#include "emulator/cuda/runtime/properties.def"
  properties.hostRegisterSupported = properties.memoryPoolsSupported = 1;
  return cudaSuccess;
}

/// Bytes of the structure that a program of CUDA 11 has: the members behind
/// them came with CUDA 12.
[[maybe_unused]] constexpr size_t PROPERTIES_SIZE_11 =
    offsetof(cudaDeviceProp, hostRegisterSupported);
constexpr size_t ATTRIBUTES_SIZE_11 =
    offsetof(cudaFuncAttributes, clusterDimMustBeSet);

} // namespace

#if GPUEXEC_CUDART_VERSION >= 13000
GPUEXEC_CUDART_EXPORT cudaError_t
cudaGetDeviceProperties(Properties13 *properties, int device) {
  GPUEXEC_CUDART_REQUIRE(properties, InvalidValue);
  return fill(*properties, device);
}
#else
GPUEXEC_CUDART_EXPORT cudaError_t cudaGetDeviceProperties(void *properties,
                                                          int device) {
  GPUEXEC_CUDART_REQUIRE(properties, InvalidValue);
  cudaDeviceProp all;
  if (cudaError_t error = fill(all, device))
    return error;
  memcpy(properties, &all, PROPERTIES_SIZE_11);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *properties, int device) {
  GPUEXEC_CUDART_REQUIRE(properties, InvalidValue);
  return fill(*properties, device);
}
#endif

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *host) {
  GPUEXEC_CUDART_REQUIRE(attributes, InvalidValue);
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  cudaFuncAttributes all = {};
  int value = 0;
#define ATTRIBUTE(MEMBER, NAME)                                                \
  GPUEXEC_CUDART_TRY(                                                          \
      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_##NAME, function));         \
  all.MEMBER = decltype(all.MEMBER)(value);
  ATTRIBUTE(sharedSizeBytes, SHARED_SIZE_BYTES)
  ATTRIBUTE(constSizeBytes, CONST_SIZE_BYTES)
  ATTRIBUTE(localSizeBytes, LOCAL_SIZE_BYTES)
  ATTRIBUTE(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK)
  ATTRIBUTE(numRegs, NUM_REGS)
  ATTRIBUTE(ptxVersion, PTX_VERSION)
  ATTRIBUTE(binaryVersion, BINARY_VERSION)
  ATTRIBUTE(maxDynamicSharedSizeBytes, MAX_DYNAMIC_SHARED_SIZE_BYTES)
  ATTRIBUTE(preferredShmemCarveout, PREFERRED_SHARED_MEMORY_CARVEOUT)
#undef ATTRIBUTE
  memcpy(attributes, &all,
         GPUEXEC_CUDART_VERSION < 12000 ? ATTRIBUTES_SIZE_11 : sizeof(all));
  return cudaSuccess;
}

// CUDA 11 told the node of an error beside the result; CUDA 12 has flags, and a
// structure for what an update says.
#if GPUEXEC_CUDART_VERSION < 12000
extern "C" {
__attribute__((visibility("default"))) cudaError_t
graph_instantiate_11(cudaGraphExec_t *exec, cudaGraph_t graph,
                     cudaGraphNode_t *node, char *log,
                     size_t size) __asm__("cudaGraphInstantiate");
__attribute__((visibility("default"))) cudaError_t graph_exec_update_11(
    cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
    cudaGraphExecUpdateResult *result) __asm__("cudaGraphExecUpdate");
}

cudaError_t graph_instantiate_11(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 cudaGraphNode_t *node, char *log,
                                 size_t size) {
  GPUEXEC_CUDART_CONTEXT();
  if (node)
    *node = nullptr;
  if (log && size)
    *log = 0;
  return record(cuGraphInstantiateWithFlags(exec, graph, 0));
}

cudaError_t graph_exec_update_11(cudaGraphExec_t exec, cudaGraph_t graph,
                                 cudaGraphNode_t *node,
                                 cudaGraphExecUpdateResult *result) {
  GPUEXEC_CUDART_CONTEXT();
  CUgraphExecUpdateResultInfo info = {};
  const CUresult error = cuGraphExecUpdate_v2(exec, graph, &info);
  if (node)
    *node = info.errorNode;
  if (result)
    *result = cudaGraphExecUpdateResult(info.result);
  return record(error);
}
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuGraphInstantiateWithFlags(exec, graph, flags));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  GPUEXEC_CUDART_CONTEXT();
  static_assert(sizeof(*info) == sizeof(CUgraphExecUpdateResultInfo));
  return record(cuGraphExecUpdate_v2(
      exec, graph, reinterpret_cast<CUgraphExecUpdateResultInfo *>(info)));
}
#endif
