//===-- emulator/cuda/runtime/api_graph.cpp - Graphs ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of the runtime is one of the driver. Two functions differ by version
// and are in version.cpp.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/forward.h"

using namespace gpuexec::cudart;

static_assert(sizeof(cudaGraphInstantiateParams) ==
              sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS));

FORWARD(cudaGraphCreate, cuGraphCreate, (cudaGraph_t * graph, unsigned flags),
        (graph, flags))
FORWARD(cudaGraphDestroy, cuGraphDestroy, (cudaGraph_t graph), (graph))
FORWARD(cudaGraphClone, cuGraphClone, (cudaGraph_t * copy, cudaGraph_t graph),
        (copy, graph))
FORWARD(cudaGraphNodeFindInClone, cuGraphNodeFindInClone,
        (cudaGraphNode_t * node, cudaGraphNode_t original, cudaGraph_t graph),
        (node, original, graph))
FORWARD(cudaGraphGetNodes, cuGraphGetNodes,
        (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
        (graph, nodes, count))
FORWARD(cudaGraphGetRootNodes, cuGraphGetRootNodes,
        (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
        (graph, nodes, count))
FORWARD(cudaGraphGetEdges, cuGraphGetEdges_v2,
        (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
         size_t *count),
        (graph, from, to, nullptr, count))
FORWARD(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
        (node, nodes, nullptr, count))
FORWARD(cudaGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
        (node, nodes, nullptr, count))
FORWARD(cudaGraphAddDependencies, cuGraphAddDependencies_v2,
        (cudaGraph_t graph, const cudaGraphNode_t *from,
         const cudaGraphNode_t *to, size_t count),
        (graph, from, to, nullptr, count))
FORWARD(cudaGraphRemoveDependencies, cuGraphRemoveDependencies_v2,
        (cudaGraph_t graph, const cudaGraphNode_t *from,
         const cudaGraphNode_t *to, size_t count),
        (graph, from, to, nullptr, count))
static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));
FORWARD(cudaGraphGetEdges_v2, cuGraphGetEdges_v2,
        (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
         cudaGraphEdgeData *edges, size_t *count),
        (graph, from, to, reinterpret_cast<CUgraphEdgeData *>(edges), count))
FORWARD(cudaGraphNodeGetDependencies_v2, cuGraphNodeGetDependencies_v2,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges,
         size_t *count),
        (node, nodes, reinterpret_cast<CUgraphEdgeData *>(edges), count))
FORWARD(cudaGraphNodeGetDependentNodes_v2, cuGraphNodeGetDependentNodes_v2,
        (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges,
         size_t *count),
        (node, nodes, reinterpret_cast<CUgraphEdgeData *>(edges), count))
FORWARD(cudaGraphAddDependencies_v2, cuGraphAddDependencies_v2,
        (cudaGraph_t graph, const cudaGraphNode_t *from,
         const cudaGraphNode_t *to, const cudaGraphEdgeData *, size_t count),
        (graph, from, to, nullptr, count))
FORWARD(cudaGraphRemoveDependencies_v2, cuGraphRemoveDependencies_v2,
        (cudaGraph_t graph, const cudaGraphNode_t *from,
         const cudaGraphNode_t *to, const cudaGraphEdgeData *, size_t count),
        (graph, from, to, nullptr, count))
FORWARD(cudaGraphDestroyNode, cuGraphDestroyNode, (cudaGraphNode_t node),
        (node))

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 cudaGraphNodeType *type) {
  GPUEXEC_CUDART_REQUIRE(type, InvalidValue);
  CUgraphNodeType known;
  GPUEXEC_CUDART_TRY(cuGraphNodeGetType(node, &known));
  *type = cudaGraphNodeType(known);
  return cudaSuccess;
}

FORWARD(cudaGraphInstantiateWithFlags, cuGraphInstantiateWithFlags,
        (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
        (exec, graph, flags))
FORWARD(cudaGraphInstantiateWithParams, cuGraphInstantiateWithParams,
        (cudaGraphExec_t * exec, cudaGraph_t graph,
         cudaGraphInstantiateParams *how),
        (exec, graph, reinterpret_cast<CUDA_GRAPH_INSTANTIATE_PARAMS *>(how)))
FORWARD(cudaGraphUpload, cuGraphUpload,
        (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
FORWARD(cudaGraphLaunch, cuGraphLaunch,
        (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
FORWARD(cudaGraphExecDestroy, cuGraphExecDestroy, (cudaGraphExec_t exec),
        (exec))
FORWARD(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled,
        (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned is_enabled),
        (exec, node, is_enabled))
FORWARD(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled,
        (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *is_enabled),
        (exec, node, is_enabled))

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                  unsigned long long *flags) {
  GPUEXEC_CUDART_REQUIRE(flags, InvalidValue);
  cuuint64_t known = 0;
  GPUEXEC_CUDART_TRY(cuGraphExecGetFlags(exec, &known));
  *flags = known;
  return cudaSuccess;
}

FORWARD(cudaDeviceGraphMemTrim, cuDeviceGraphMemTrim, (int device), (device))
FORWARD(cudaDeviceGetGraphMemAttribute, cuDeviceGetGraphMemAttribute,
        (int device, cudaGraphMemAttributeType attribute, void *value),
        (device, CUgraphMem_attribute(attribute), value))
FORWARD(cudaDeviceSetGraphMemAttribute, cuDeviceSetGraphMemAttribute,
        (int device, cudaGraphMemAttributeType attribute, void *value),
        (device, CUgraphMem_attribute(attribute), value))
