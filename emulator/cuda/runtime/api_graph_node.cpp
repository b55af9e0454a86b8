//===-- emulator/cuda/runtime/api_graph_node.cpp - Nodes of graphs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/copies.h"
#include "emulator/cuda/runtime/forward.h"
#include "emulator/cuda/runtime/program.h"

using namespace gpuexec::cudart;

static_assert(sizeof(cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS));
static_assert(sizeof(cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS));
static_assert(sizeof(cudaLaunchAttributeValue) ==
              sizeof(CUlaunchAttributeValue));

namespace {

auto driver(const cudaMemsetParams *from) {
  return reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS *>(from);
}
auto driver(const cudaHostNodeParams *from) {
  return reinterpret_cast<const CUDA_HOST_NODE_PARAMS *>(from);
}

cudaError_t to_driver(const cudaKernelNodeParams *from,
                      CUDA_KERNEL_NODE_PARAMS &to) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidValue);
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(from->func, function));
  to = {function,
        from->gridDim.x,
        from->gridDim.y,
        from->gridDim.z,
        from->blockDim.x,
        from->blockDim.y,
        from->blockDim.z,
        from->sharedMemBytes,
        from->kernelParams,
        from->extra,
        nullptr,
        nullptr};
  return cudaSuccess;
}

cudaError_t to_driver(const cudaMemcpy3DParms *from, CUDA_MEMCPY3D &to) {
  GPUEXEC_CUDART_REQUIRE(from, InvalidValue);
  return gpuexec::cudart::to_driver(*from, to);
}

cudaMemcpyKind kind_of(const CUDA_MEMCPY3D &copy) {
  if (copy.dstMemoryType == CU_MEMORYTYPE_UNIFIED ||
      copy.srcMemoryType == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  const bool to_host = copy.dstMemoryType == CU_MEMORYTYPE_HOST;
  if (copy.srcMemoryType == CU_MEMORYTYPE_HOST)
    return to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

/// Bytes of an element of the array; 1 for none.
cudaError_t element_of(CUarray array, size_t &bytes) {
  bytes = 1;
  if (!array)
    return cudaSuccess;
  return element_bytes(reinterpret_cast<cudaArray_t>(array), bytes);
}

cudaError_t from_driver(const CUDA_MEMCPY3D &from, cudaMemcpy3DParms &to) {
  const bool to_array = from.dstMemoryType == CU_MEMORYTYPE_ARRAY,
             from_array = from.srcMemoryType == CU_MEMORYTYPE_ARRAY;
  size_t to_element = 1, from_element = 1;
  GPUEXEC_CUDART_TRY(
      element_of(to_array ? from.dstArray : nullptr, to_element));
  GPUEXEC_CUDART_TRY(
      element_of(from_array ? from.srcArray : nullptr, from_element));
  to = {};
  if (to_array)
    to.dstArray = reinterpret_cast<cudaArray_t>(from.dstArray);
  else
    to.dstPtr = {reinterpret_cast<void *>(from.dstDevice), from.dstPitch,
                 from.WidthInBytes, from.dstHeight};
  if (from_array)
    to.srcArray = reinterpret_cast<cudaArray_t>(from.srcArray);
  else
    to.srcPtr = {reinterpret_cast<void *>(from.srcDevice), from.srcPitch,
                 from.WidthInBytes, from.srcHeight};
  to.dstPos = {from.dstXInBytes / to_element, from.dstY, from.dstZ};
  to.srcPos = {from.srcXInBytes / from_element, from.srcY, from.srcZ};
  to.extent = {from.WidthInBytes / (from_array ? from_element : to_element),
               from.Height, from.Depth};
  to.kind = kind_of(from);
  return cudaSuccess;
}

cudaError_t copy_of(void *to, const void *from, size_t size,
                    cudaMemcpyKind kind, CUDA_MEMCPY3D &copy) {
  copy = plain_copy(to, from, size);
  return set_kind(copy, kind);
}
cudaError_t copy_to(const void *symbol, const void *from, size_t size,
                    size_t offset, cudaMemcpyKind kind, CUDA_MEMCPY3D &copy) {
  void *to = nullptr;
  GPUEXEC_CUDART_TRY(place_in(symbol, offset, size, to));
  return copy_of(to, from, size, kind, copy);
}
cudaError_t copy_from(void *to, const void *symbol, size_t size, size_t offset,
                      cudaMemcpyKind kind, CUDA_MEMCPY3D &copy) {
  void *from = nullptr;
  GPUEXEC_CUDART_TRY(place_in(symbol, offset, size, from));
  return copy_of(to, from, size, kind, copy);
}

/// Where a new node goes.
struct Place {
  cudaGraphNode_t *node;
  cudaGraph_t graph;
  const cudaGraphNode_t *dependencies;
  size_t count;
};

cudaError_t add(const Place &to, const CUDA_MEMCPY3D &copy) {
  return record(cuGraphAddMemcpyNode(to.node, to.graph, to.dependencies,
                                     to.count, &copy, nullptr));
}

} // namespace

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count,
                                   const cudaMemcpy3DParms *from) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(to_driver(from, copy));
  return add({node, graph, dependencies, count}, copy);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms *from) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(to_driver(from, copy));
  return record(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec,
                                             cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *from) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(to_driver(from, copy));
  return record(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, nullptr));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t count, void *to, const void *from,
                                     size_t size, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_of(to, from, size, kind, copy));
  return add({node, graph, dependencies, count}, copy);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to,
                                           const void *from, size_t size,
                                           cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_of(to, from, size, kind, copy));
  return record(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *to,
                                               const void *from, size_t size,
                                               cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_of(to, from, size, kind, copy));
  return record(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, nullptr));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node,
                                           cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           size_t count, const void *symbol,
                                           const void *from, size_t size,
                                           size_t offset, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_to(symbol, from, size, offset, kind, copy));
  return add({node, graph, dependencies, count}, copy);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                 const void *symbol,
                                                 const void *from, size_t size,
                                                 size_t offset,
                                                 cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_to(symbol, from, size, offset, kind, copy));
  return record(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
    const void *from, size_t size, size_t offset, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_to(symbol, from, size, offset, kind, copy));
  return record(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, nullptr));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph,
    const cudaGraphNode_t *dependencies, size_t count, void *to,
    const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_from(to, symbol, size, offset, kind, copy));
  return add({node, graph, dependencies, count}, copy);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node,
                                                   void *to, const void *symbol,
                                                   size_t size, size_t offset,
                                                   cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_from(to, symbol, size, offset, kind, copy));
  return record(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *symbol,
    size_t size, size_t offset, cudaMemcpyKind kind) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(copy_from(to, symbol, size, offset, kind, copy));
  return record(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, nullptr));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         cudaMemcpy3DParms *to) {
  GPUEXEC_CUDART_REQUIRE(to, InvalidValue);
  CUDA_MEMCPY3D copy = {}; // NOLINT: set below
  GPUEXEC_CUDART_TRY(cuGraphMemcpyNodeGetParams(node, &copy));
  return from_driver(copy, *to);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count,
                                   const cudaKernelNodeParams *from) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_KERNEL_NODE_PARAMS made = {};
  GPUEXEC_CUDART_TRY(to_driver(from, made));
  return record(cuGraphAddKernelNode(node, graph, dependencies, count, &made));
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *from) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_KERNEL_NODE_PARAMS made = {};
  GPUEXEC_CUDART_TRY(to_driver(from, made));
  return record(cuGraphKernelNodeSetParams(node, &made));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec,
                                             cudaGraphNode_t node,
                                             const cudaKernelNodeParams *from) {
  GPUEXEC_CUDART_CONTEXT();
  CUDA_KERNEL_NODE_PARAMS made = {};
  GPUEXEC_CUDART_TRY(to_driver(from, made));
  return record(cuGraphExecKernelNodeSetParams(exec, node, &made));
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         cudaKernelNodeParams *to) {
  GPUEXEC_CUDART_REQUIRE(to, InvalidValue);
  CUDA_KERNEL_NODE_PARAMS from = {};
  GPUEXEC_CUDART_TRY(cuGraphKernelNodeGetParams(node, &from));
  *to = {const_cast<void *>(Program::get().host_of(from.func)),
         dim3(from.gridDimX, from.gridDimY, from.gridDimZ),
         dim3(from.blockDimX, from.blockDimY, from.blockDimZ),
         from.sharedMemBytes,
         from.kernelParams,
         from.extra};
  return cudaSuccess;
}

FORWARD(cudaGraphKernelNodeCopyAttributes, cuGraphKernelNodeCopyAttributes,
        (cudaGraphNode_t to, cudaGraphNode_t from), (to, from))
FORWARD(cudaGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute,
        (cudaGraphNode_t node, cudaLaunchAttributeID id,
         cudaLaunchAttributeValue *value),
        (node, CUlaunchAttributeID(id),
         reinterpret_cast<CUlaunchAttributeValue *>(value)))
FORWARD(cudaGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute,
        (cudaGraphNode_t node, cudaLaunchAttributeID id,
         const cudaLaunchAttributeValue *value),
        (node, CUlaunchAttributeID(id),
         reinterpret_cast<const CUlaunchAttributeValue *>(value)))

FORWARD(cudaGraphAddMemsetNode, cuGraphAddMemsetNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count,
         const cudaMemsetParams *from),
        (node, graph, dependencies, count, driver(from), nullptr))
FORWARD(cudaGraphMemsetNodeSetParams, cuGraphMemsetNodeSetParams,
        (cudaGraphNode_t node, const cudaMemsetParams *from),
        (node, driver(from)))
FORWARD(cudaGraphExecMemsetNodeSetParams, cuGraphExecMemsetNodeSetParams,
        (cudaGraphExec_t exec, cudaGraphNode_t node,
         const cudaMemsetParams *from),
        (exec, node, driver(from), nullptr))
FORWARD(cudaGraphMemsetNodeGetParams, cuGraphMemsetNodeGetParams,
        (cudaGraphNode_t node, cudaMemsetParams *to),
        (node, reinterpret_cast<CUDA_MEMSET_NODE_PARAMS *>(to)))

FORWARD(cudaGraphAddHostNode, cuGraphAddHostNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count,
         const cudaHostNodeParams *from),
        (node, graph, dependencies, count, driver(from)))
FORWARD(cudaGraphHostNodeSetParams, cuGraphHostNodeSetParams,
        (cudaGraphNode_t node, const cudaHostNodeParams *from),
        (node, driver(from)))
FORWARD(cudaGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams,
        (cudaGraphExec_t exec, cudaGraphNode_t node,
         const cudaHostNodeParams *from),
        (exec, node, driver(from)))
FORWARD(cudaGraphHostNodeGetParams, cuGraphHostNodeGetParams,
        (cudaGraphNode_t node, cudaHostNodeParams *to),
        (node, reinterpret_cast<CUDA_HOST_NODE_PARAMS *>(to)))

FORWARD(cudaGraphAddEmptyNode, cuGraphAddEmptyNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count),
        (node, graph, dependencies, count))
FORWARD(cudaGraphAddChildGraphNode, cuGraphAddChildGraphNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count, cudaGraph_t child),
        (node, graph, dependencies, count, child))
FORWARD(cudaGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph,
        (cudaGraphNode_t node, cudaGraph_t *graph), (node, graph))
FORWARD(cudaGraphExecChildGraphNodeSetParams,
        cuGraphExecChildGraphNodeSetParams,
        (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child),
        (exec, node, child))

FORWARD(cudaGraphAddEventRecordNode, cuGraphAddEventRecordNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count, cudaEvent_t event),
        (node, graph, dependencies, count, event))
FORWARD(cudaGraphEventRecordNodeGetEvent, cuGraphEventRecordNodeGetEvent,
        (cudaGraphNode_t node, cudaEvent_t *event), (node, event))
FORWARD(cudaGraphEventRecordNodeSetEvent, cuGraphEventRecordNodeSetEvent,
        (cudaGraphNode_t node, cudaEvent_t event), (node, event))
FORWARD(cudaGraphExecEventRecordNodeSetEvent,
        cuGraphExecEventRecordNodeSetEvent,
        (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event),
        (exec, node, event))
FORWARD(cudaGraphAddEventWaitNode, cuGraphAddEventWaitNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count, cudaEvent_t event),
        (node, graph, dependencies, count, event))
FORWARD(cudaGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeGetEvent,
        (cudaGraphNode_t node, cudaEvent_t *event), (node, event))
FORWARD(cudaGraphEventWaitNodeSetEvent, cuGraphEventWaitNodeSetEvent,
        (cudaGraphNode_t node, cudaEvent_t event), (node, event))
FORWARD(cudaGraphExecEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent,
        (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event),
        (exec, node, event))

static_assert(sizeof(cudaMemAllocNodeParams) ==
              sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
FORWARD(cudaGraphAddMemAllocNode, cuGraphAddMemAllocNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count,
         cudaMemAllocNodeParams *from),
        (node, graph, dependencies, count,
         reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS *>(from)))
FORWARD(cudaGraphMemAllocNodeGetParams, cuGraphMemAllocNodeGetParams,
        (cudaGraphNode_t node, cudaMemAllocNodeParams *to),
        (node, reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS *>(to)))
FORWARD(cudaGraphAddMemFreeNode, cuGraphAddMemFreeNode,
        (cudaGraphNode_t * node, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, size_t count, void *memory),
        (node, graph, dependencies, count,
         reinterpret_cast<CUdeviceptr>(memory)))
FORWARD(cudaGraphMemFreeNodeGetParams, cuGraphMemFreeNodeGetParams,
        (cudaGraphNode_t node, void *memory),
        (node, static_cast<CUdeviceptr *>(memory)))
