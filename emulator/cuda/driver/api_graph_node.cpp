//===-- emulator/cuda/driver/api_graph_node.cpp - Nodes of graphs ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kind of node is made from its parameters by one function make(); adding
// a node, changing it and changing its copy in an executable graph are the same
// for all kinds.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/driver/api_graph.h"
#include "emulator/cuda/driver/copies.h"
#include "emulator/cuda/driver/launches.h"

#include <algorithm>

using namespace gpuexec::cuda;

namespace {

CUresult make(const CUDA_KERNEL_NODE_PARAMS *from, NodeContent &to) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(from, INVALID_VALUE);
  // A kernel of a library is a function, too.
  const CUfunction function =
      from->func ? from->func : reinterpret_cast<CUfunction>(from->kern);
  void *none[] = {nullptr};
  LaunchRequest request{function,
                        {from->gridDimX, from->gridDimY, from->gridDimZ},
                        {from->blockDimX, from->blockDimY, from->blockDimZ},
                        from->sharedMemBytes,
                        from->kernelParams,
                        from->extra};
  if (!request.parameters && !request.extra)
    request.parameters = none; // right for a kernel without parameters alone
  KernelCall call;
  GPUEXEC_TRY(prepare(*context, request, to.work, &call));
  to.type = CU_GRAPH_NODE_TYPE_KERNEL;
  to.parameters = std::move(call);
  return CUDA_SUCCESS;
}

CUresult make(const CUDA_MEMCPY3D *from, NodeContent &to) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(from, INVALID_VALUE);
  Copy copy;
  bool is_pageable = false;
  GPUEXEC_TRY(set_copy(copy, *from));
  GPUEXEC_TRY(prepare(*context, copy, to.work, is_pageable));
  GPUEXEC_REQUIRE(to.work, INVALID_VALUE); // no bytes
  to.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  to.parameters = *from;
  return CUDA_SUCCESS;
}

CUresult make(const CUDA_MEMSET_NODE_PARAMS *from, NodeContent &to) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(from && (from->elementSize == 1 || from->elementSize == 2 ||
                           from->elementSize == 4),
                  INVALID_VALUE);
  GPUEXEC_TRY(prepare(*context, to_fill(*from), to.work));
  GPUEXEC_REQUIRE(to.work, INVALID_VALUE); // no bytes
  to.type = CU_GRAPH_NODE_TYPE_MEMSET;
  to.parameters = *from;
  return CUDA_SUCCESS;
}

CUresult make(const CUDA_HOST_NODE_PARAMS *from, NodeContent &to) {
  GPUEXEC_REQUIRE(from && from->fn, INVALID_VALUE);
  to.type = CU_GRAPH_NODE_TYPE_HOST;
  to.parameters = *from;
  to.work = [call = *from](Dispatcher &) {
    call.fn(call.userData);
    return CUDA_SUCCESS;
  };
  return CUDA_SUCCESS;
}

CUresult make_event(CUevent handle, CUgraphNodeType type, NodeContent &to) {
  auto event = Driver::get().events.find(handle);
  GPUEXEC_REQUIRE(event, INVALID_VALUE);
  to.type = type;
  to.parameters = EventUse{handle, std::move(event)};
  return CUDA_SUCCESS;
}

CUresult make(const CUDA_MEM_ALLOC_NODE_PARAMS *from, NodeContent &to) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(
      from && from->poolProps.allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
          from->poolProps.location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
          from->poolProps.handleTypes == CU_MEM_HANDLE_TYPE_NONE,
      INVALID_VALUE);
  Allocation made{*from, nullptr};
  GPUEXEC_TRY(Driver::get().graph_memories.allocate(
      context->memory, from->bytesize, context.get(), made.memory));
  made.parameters.dptr = made.memory->address();
  to.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  to.parameters = std::move(made);
  return CUDA_SUCCESS;
}

/// The caller holds the lock of all graphs.
CUresult make_child(CUgraph handle, NodeContent &to) {
  auto graph = Driver::get().graphs.find(handle);
  GPUEXEC_REQUIRE(graph, INVALID_VALUE);
  GPUEXEC_REQUIRE(!graph->has_memory(), NOT_SUPPORTED);
  auto child = graph->copy();
  child->is_child = true;
  to.type = CU_GRAPH_NODE_TYPE_GRAPH;
  to.parameters = std::move(child);
  return CUDA_SUCCESS;
}

/// What a program says of a new node.
struct Place {
  CUgraphNode *node;
  CUgraph graph;
  const CUgraphNode *dependencies;
  size_t count;
};

/// The caller holds the lock of all graphs.
CUresult add_locked(const Place &place, NodeContent content) {
  auto graph = Driver::get().graphs.find(place.graph);
  GPUEXEC_REQUIRE(graph && place.node && (place.dependencies || !place.count),
                  INVALID_VALUE);
  std::vector<Node *> dependencies;
  GPUEXEC_REQUIRE(find_nodes(*graph, place.dependencies, place.count,
                             dependencies) &&
                      dependencies.size() == place.count, // none twice
                  INVALID_VALUE);
  *place.node = Driver::get().nodes.add<CUgraphNode>(
      graph->add(std::move(content), std::move(dependencies)));
  return CUDA_SUCCESS;
}

CUresult add(const Place &place, NodeContent content) {
  std::lock_guard guard(Driver::get().graphs_mutex);
  return add_locked(place, std::move(content));
}

template <typename T> CUresult make_and_add(const Place &place, const T *from) {
  NodeContent content;
  GPUEXEC_TRY(make(from, content));
  return add(place, std::move(content));
}

/// Changes a node; its kind stays, and a kernel's attributes do.
CUresult set_locked(Node &node, NodeContent content) {
  GPUEXEC_REQUIRE(node.content.type == content.type, INVALID_VALUE);
  if (auto *call = std::get_if<KernelCall>(&content.parameters))
    call->attributes = std::get<KernelCall>(node.content.parameters).attributes;
  node.content = std::move(content);
  return CUDA_SUCCESS;
}

CUresult set(CUgraphNode handle, NodeContent content) {
  GPUEXEC_NODE(node, handle);
  return set_locked(*node, std::move(content));
}

/// Changes the copy of a node in an executable graph.
CUresult set(CUgraphExec exec_handle, CUgraphNode handle, NodeContent content) {
  GPUEXEC_EXEC(exec, exec_handle);
  Node *node = exec->graph->copy_of(reinterpret_cast<const Node *>(handle));
  GPUEXEC_REQUIRE(node, INVALID_VALUE);
  GPUEXEC_TRY(set_locked(*node, std::move(content)));
  exec->prepare(); // the order is as before
  return CUDA_SUCCESS;
}

template <typename T> CUresult make_and_set(CUgraphNode node, const T *from) {
  NodeContent content;
  GPUEXEC_TRY(make(from, content));
  return set(node, std::move(content));
}

template <typename T>
CUresult make_and_set(CUgraphExec exec, CUgraphNode node, const T *from) {
  NodeContent content;
  GPUEXEC_TRY(make(from, content));
  return set(exec, node, std::move(content));
}

/// The parameters of a node of one kind.
template <typename T> CUresult get(CUgraphNode handle, T *to) {
  GPUEXEC_NODE(node, handle);
  auto *parameters = std::get_if<T>(&node->content.parameters);
  GPUEXEC_REQUIRE(parameters && to, INVALID_VALUE);
  *to = *parameters;
  return CUDA_SUCCESS;
}

CUresult get_event(CUgraphNode handle, CUgraphNodeType type, CUevent *event) {
  GPUEXEC_NODE(node, handle);
  GPUEXEC_REQUIRE(node->content.type == type && event, INVALID_VALUE);
  *event = std::get<EventUse>(node->content.parameters).handle;
  return CUDA_SUCCESS;
}

CUresult set_event(CUgraphNode node, CUgraphNodeType type, CUevent event) {
  NodeContent content;
  GPUEXEC_TRY(make_event(event, type, content));
  return set(node, std::move(content));
}

CUresult set_event(CUgraphExec exec, CUgraphNode node, CUgraphNodeType type,
                   CUevent event) {
  NodeContent content;
  GPUEXEC_TRY(make_event(event, type, content));
  return set(exec, node, std::move(content));
}

} // namespace

bool gpuexec::cuda::find_nodes(const Graph &graph, const CUgraphNode *handles,
                               size_t count, std::vector<Node *> &nodes) {
  for (size_t i = 0; i < count; ++i) {
    auto node = Driver::get().nodes.find(handles[i]);
    if (!node || node->graph != &graph)
      return false;
    if (std::find(nodes.begin(), nodes.end(), node.get()) == nodes.end())
      nodes.push_back(node.get());
  }
  return true;
}

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type) {
  GPUEXEC_NODE(node, handle);
  GPUEXEC_REQUIRE(type, INVALID_VALUE);
  *type = node->content.type;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count) {
  return add({node, graph, dependencies, count}, {});
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *from) {
  return make_and_add({node, graph, dependencies, count}, from);
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                       const CUDA_KERNEL_NODE_PARAMS *from) {
  return make_and_set(node, from);
}
CUresult
cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                  const CUDA_KERNEL_NODE_PARAMS *from) {
  return make_and_set(exec, node, from);
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode handle,
                                       CUDA_KERNEL_NODE_PARAMS *to) {
  GPUEXEC_NODE(node, handle);
  auto *call = std::get_if<KernelCall>(&node->content.parameters);
  GPUEXEC_REQUIRE(call && to, INVALID_VALUE);
  call->pointers.clear();
  for (size_t offset : call->offsets)
    call->pointers.push_back(call->arguments.data() + offset);
  *to = {call->function,   call->blocks[0],  call->blocks[1],
         call->blocks[2],  call->threads[0], call->threads[1],
         call->threads[2], call->shared,     call->pointers.data(),
         nullptr,          nullptr,          nullptr};
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode handle,
                                       CUkernelNodeAttrID id,
                                       const CUkernelNodeAttrValue *value) {
  GPUEXEC_NODE(node, handle);
  auto *call = std::get_if<KernelCall>(&node->content.parameters);
  GPUEXEC_REQUIRE(call && value, INVALID_VALUE);
  call->attributes[id] = *value;
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode handle,
                                       CUkernelNodeAttrID id,
                                       CUkernelNodeAttrValue *value) {
  GPUEXEC_NODE(node, handle);
  auto *call = std::get_if<KernelCall>(&node->content.parameters);
  GPUEXEC_REQUIRE(call && value, INVALID_VALUE);
  auto found = call->attributes.find(id);
  *value =
      found == call->attributes.end() ? CUkernelNodeAttrValue{} : found->second;
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to_handle,
                                         CUgraphNode handle) {
  GPUEXEC_NODE(node, handle);
  auto to = Driver::get().nodes.find(to_handle);
  GPUEXEC_REQUIRE(to, INVALID_VALUE);
  auto *from_call = std::get_if<KernelCall>(&node->content.parameters);
  auto *to_call = std::get_if<KernelCall>(&to->content.parameters);
  GPUEXEC_REQUIRE(from_call && to_call, INVALID_VALUE);
  to_call->attributes = from_call->attributes;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *from, CUcontext) {
  return make_and_add({node, graph, dependencies, count}, from);
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node,
                                    const CUDA_MEMCPY3D *from) {
  return make_and_set(node, from);
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *from, CUcontext) {
  return make_and_set(exec, node, from);
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *to) {
  return get(node, to);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *from, CUcontext) {
  return make_and_add({node, graph, dependencies, count}, from);
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node,
                                    const CUDA_MEMSET_NODE_PARAMS *from) {
  return make_and_set(node, from);
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *from,
                                        CUcontext) {
  return make_and_set(exec, node, from);
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node,
                                    CUDA_MEMSET_NODE_PARAMS *to) {
  return get(node, to);
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph,
                            const CUgraphNode *dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS *from) {
  return make_and_add({node, graph, dependencies, count}, from);
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node,
                                  const CUDA_HOST_NODE_PARAMS *from) {
  return make_and_set(node, from);
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *from) {
  return make_and_set(exec, node, from);
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *to) {
  return get(node, to);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies,
                                   size_t count, CUevent event) {
  NodeContent content;
  GPUEXEC_TRY(make_event(event, CU_GRAPH_NODE_TYPE_EVENT_RECORD, content));
  return add({node, graph, dependencies, count}, std::move(content));
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  return get_event(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_event(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                            CUevent event) {
  return set_event(exec, node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *dependencies, size_t count,
                                 CUevent event) {
  NodeContent content;
  GPUEXEC_TRY(make_event(event, CU_GRAPH_NODE_TYPE_WAIT_EVENT, content));
  return add({node, graph, dependencies, count}, std::move(content));
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  return get_event(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_event(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                          CUevent event) {
  return set_event(exec, node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                const CUgraphNode *dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *from) {
  NodeContent content;
  GPUEXEC_TRY(make(from, content));
  const CUdeviceptr address =
      std::get<Allocation>(content.parameters).parameters.dptr;
  GPUEXEC_TRY(add({node, graph, dependencies, count}, std::move(content)));
  from->dptr = address;
  return CUDA_SUCCESS;
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode handle,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *to) {
  GPUEXEC_NODE(node, handle);
  auto *made = std::get_if<Allocation>(&node->content.parameters);
  GPUEXEC_REQUIRE(made && to, INVALID_VALUE);
  *to = made->parameters;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *dependencies, size_t count,
                               CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  auto range = context->memory.find(address);
  GPUEXEC_REQUIRE(range && range->begin == address &&
                      range->pool == Driver::get().graph_memories.pool,
                  INVALID_VALUE);
  return add({node, graph, dependencies, count},
             {CU_GRAPH_NODE_TYPE_MEM_FREE, CUDA_MEM_FREE_NODE_PARAMS{address},
              nullptr});
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *address) {
  GPUEXEC_NODE(node, handle);
  auto *freed =
      std::get_if<CUDA_MEM_FREE_NODE_PARAMS>(&node->content.parameters);
  GPUEXEC_REQUIRE(freed && address, INVALID_VALUE);
  *address = freed->dptr;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                  const CUgraphNode *dependencies, size_t count,
                                  CUgraph child) {
  std::lock_guard guard(Driver::get().graphs_mutex);
  NodeContent content;
  GPUEXEC_TRY(make_child(child, content));
  return add_locked({node, graph, dependencies, count}, std::move(content));
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *graph) {
  GPUEXEC_NODE(node, handle);
  auto *child = std::get_if<std::shared_ptr<Graph>>(&node->content.parameters);
  GPUEXEC_REQUIRE(child && graph, INVALID_VALUE);
  add_nodes(**child);
  *graph = Driver::get().graphs.add<CUgraph>(*child);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            CUgraph graph) {
  NodeContent content;
  {
    std::lock_guard guard(Driver::get().graphs_mutex);
    GPUEXEC_TRY(make_child(graph, content));
  }
  return set(exec, node, std::move(content));
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec_handle, CUgraphNode handle,
                               unsigned is_enabled) {
  GPUEXEC_EXEC(exec, exec_handle);
  Node *node = exec->graph->copy_of(reinterpret_cast<const Node *>(handle));
  GPUEXEC_REQUIRE(node && (node->content.type == CU_GRAPH_NODE_TYPE_KERNEL ||
                           node->content.type == CU_GRAPH_NODE_TYPE_MEMSET ||
                           node->content.type == CU_GRAPH_NODE_TYPE_MEMCPY),
                  INVALID_VALUE);
  node->enabled = is_enabled != 0;
  exec->prepare();
  return CUDA_SUCCESS;
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec_handle, CUgraphNode handle,
                               unsigned *is_enabled) {
  GPUEXEC_EXEC(exec, exec_handle);
  Node *node = exec->graph->copy_of(reinterpret_cast<const Node *>(handle));
  GPUEXEC_REQUIRE(node && is_enabled, INVALID_VALUE);
  *is_enabled = node->enabled;
  return CUDA_SUCCESS;
}
