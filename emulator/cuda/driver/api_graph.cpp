//===-- emulator/cuda/driver/api_graph.cpp - Graphs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as wholes: their nodes and edges, copies, and launches.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/driver/api_graph.h"
#include "emulator/cuda/driver/capture.h"

#include <algorithm>

using namespace gpuexec::cuda;

namespace {

CUgraphNode handle_of(const Node *node) {
  return reinterpret_cast<CUgraphNode>(const_cast<Node *>(node));
}

/// Tells of a list as the interface does: without a place for it, its length;
/// with fewer entries than the place has, null handles.
CUresult list(const std::vector<const Node *> &nodes, CUgraphNode *to,
              CUgraphEdgeData *edges, size_t *count) {
  GPUEXEC_REQUIRE(count, INVALID_VALUE);
  if (edges) // all of them are ordinary ones
    std::fill_n(edges, std::min(*count, nodes.size()), CUgraphEdgeData{});
  if (to)
    for (size_t i = 0; i < *count; ++i)
      to[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
  if (!to || *count > nodes.size())
    *count = nodes.size();
  return CUDA_SUCCESS;
}

CUresult list_edges(CUgraph handle, CUgraphNode *from, CUgraphNode *to,
                    CUgraphEdgeData *edges, size_t *count) {
  GPUEXEC_GRAPH(graph, handle);
  std::vector<const Node *> begins, ends;
  for (const auto &node : graph->nodes)
    for (const Node *dependency : node->dependencies) {
      begins.push_back(dependency);
      ends.push_back(node.get());
    }
  GPUEXEC_REQUIRE(count && !from == !to, INVALID_VALUE);
  size_t same = *count;
  GPUEXEC_TRY(list(begins, from, edges, &same));
  return list(ends, to, nullptr, count);
}

CUresult list_dependencies(CUgraphNode handle, CUgraphNode *to,
                           CUgraphEdgeData *edges, size_t *count) {
  GPUEXEC_NODE(node, handle);
  const std::vector<const Node *> nodes(node->dependencies.begin(),
                                        node->dependencies.end());
  return list(nodes, to, edges, count);
}

CUresult list_dependents(CUgraphNode handle, CUgraphNode *to,
                         CUgraphEdgeData *edges, size_t *count) {
  GPUEXEC_NODE(node, handle);
  std::vector<const Node *> nodes;
  for (const auto &each : node->graph->nodes)
    if (std::find(each->dependencies.begin(), each->dependencies.end(),
                  node.get()) != each->dependencies.end())
      nodes.push_back(each.get());
  return list(nodes, to, edges, count);
}

/// Adds edges, or removes them: all of them, or none.
CUresult change_edges(CUgraph handle, const CUgraphNode *from,
                      const CUgraphNode *to, size_t count, bool adds) {
  GPUEXEC_GRAPH(graph, handle);
  GPUEXEC_REQUIRE(!count || (from && to), INVALID_VALUE);
  std::vector<std::pair<Node *, Node *>> edges;
  for (size_t i = 0; i < count; ++i) {
    auto begin = Driver::get().nodes.find(from[i]),
         end = Driver::get().nodes.find(to[i]);
    GPUEXEC_REQUIRE(begin && end && begin->graph == graph.get() &&
                        end->graph == graph.get() && begin != end,
                    INVALID_VALUE);
    const auto &known = end->dependencies;
    GPUEXEC_REQUIRE((std::find(known.begin(), known.end(), begin.get()) ==
                     known.end()) == adds,
                    INVALID_VALUE);
    edges.push_back({begin.get(), end.get()});
  }
  for (auto [begin, end] : edges)
    if (adds)
      end->dependencies.push_back(begin);
    else
      std::erase(end->dependencies, begin);
  return CUDA_SUCCESS;
}

CUresult instantiate(CUgraphExec *exec, CUgraph handle,
                     unsigned long long flags) {
  GPUEXEC_GRAPH(graph, handle);
  GPUEXEC_REQUIRE(exec && flags <= 15, INVALID_VALUE);
  GPUEXEC_REQUIRE(!(flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH),
                  NOT_SUPPORTED);
  GPUEXEC_REQUIRE(!graph->has_memory() || graph->instantiated.expired(),
                  NOT_SUPPORTED);
  auto made = std::make_shared<GraphExec>();
  graph->instantiated = made;
  made->graph = graph->copy();
  made->flags = flags;
  GPUEXEC_REQUIRE(made->prepare(), INVALID_VALUE);
  *exec = Driver::get().graph_execs.add<CUgraphExec>(std::move(made));
  return CUDA_SUCCESS;
}

using Records = std::vector<std::shared_ptr<Record>>;

/// Does the steps; `records` are those of the steps that record an event.
CUresult run(const std::vector<GraphExec::Step> &steps, const Records &records,
             Dispatcher &dispatcher) {
  size_t recorded = 0;
  for (const GraphExec::Step &step : steps) {
    if (step.recorded)
      records[recorded++]->take_time();
    else if (step.work)
      GPUEXEC_TRY(step.work(dispatcher));
  }
  return CUDA_SUCCESS;
}

CUresult submit(Context &context, const std::shared_ptr<Stream> &stream,
                GraphExec &exec) {
  const auto steps = exec.steps;
  // What a launch has allocated is freed before the next one.
  if (!(exec.flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH))
    for (const GraphExec::Step &step : *steps)
      GPUEXEC_REQUIRE(!step.allocated || !step.allocated->in_use(),
                      INVALID_VALUE);
  Records records;
  std::vector<Position> after;
  for (const GraphExec::Step &step : *steps) {
    if (step.recorded)
      records.push_back(std::make_shared<Record>());
    if (step.awaited)
      if (auto record = step.awaited->get();
          record && record->position.stream != stream)
        after.push_back(record->position);
  }
  if (exec.last.stream && exec.last.stream != stream)
    after.push_back(exec.last);
  const uint64_t number = context.submit(
      *stream,
      [steps, records](Dispatcher &dispatcher) {
        return run(*steps, records, dispatcher);
      },
      std::move(after));
  GPUEXEC_REQUIRE(number, OUT_OF_MEMORY);
  exec.last = {stream, number};
  size_t recorded = 0;
  for (const GraphExec::Step &step : *steps) {
    if (step.allocated)
      step.allocated->set_in_use(true);
    if (step.freed)
      Driver::get().graph_memories.give_back(step.freed);
    if (step.recorded) {
      records[recorded]->position = exec.last;
      step.recorded->set(records[recorded++]);
    }
  }
  return CUDA_SUCCESS;
}

/// Gives the nodes of a graph the contents of those of another one.
CUresult update(Graph &graph, const Graph &from,
                CUgraphExecUpdateResultInfo &info) {
  auto fail = [&](CUgraphExecUpdateResult result, const Node *node) {
    info = {result, handle_of(node), nullptr};
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  };
  if (graph.nodes.size() != from.nodes.size())
    return fail(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node &old = *graph.nodes[i], &other = *from.nodes[i];
    if (old.content.type != other.content.type)
      return fail(CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, &other);
    if (old.dependencies.size() != other.dependencies.size())
      return fail(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, &other);
    for (size_t k = 0; k < old.dependencies.size(); ++k)
      if (graph.place_of(old.dependencies[k]) !=
          from.place_of(other.dependencies[k]))
        return fail(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, &other);
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    NodeContent content = from.nodes[i]->content;
    if (auto *child =
            std::get_if<std::shared_ptr<Graph>>(&content.parameters)) {
      auto &old =
          std::get<std::shared_ptr<Graph>>(graph.nodes[i]->content.parameters);
      GPUEXEC_TRY(update(*old, **child, info));
      continue;
    }
    graph.nodes[i]->content = std::move(content);
  }
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuGraphCreate(CUgraph *handle, unsigned flags) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(handle && flags == 0, INVALID_VALUE);
  *handle = Driver::get().graphs.add<CUgraph>(std::make_shared<Graph>());
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph handle) {
  GPUEXEC_GRAPH(graph, handle);
  GPUEXEC_REQUIRE(!graph->is_child, INVALID_VALUE);
  Driver::get().graphs.take(handle);
  return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *copy, CUgraph handle) {
  GPUEXEC_GRAPH(graph, handle);
  GPUEXEC_REQUIRE(copy, INVALID_VALUE);
  GPUEXEC_REQUIRE(!graph->has_memory(), NOT_SUPPORTED);
  auto made = graph->copy();
  made->is_child = false;
  add_nodes(*made);
  *copy = Driver::get().graphs.add<CUgraph>(std::move(made));
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original,
                                CUgraph handle) {
  GPUEXEC_GRAPH(graph, handle);
  GPUEXEC_REQUIRE(found, INVALID_VALUE);
  const Node *node = graph->copy_of(reinterpret_cast<const Node *>(original));
  GPUEXEC_REQUIRE(node, INVALID_VALUE);
  *found = handle_of(node);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count) {
  GPUEXEC_GRAPH(graph, handle);
  std::vector<const Node *> all;
  for (const auto &node : graph->nodes)
    all.push_back(node.get());
  return list(all, nodes, nullptr, count);
}

CUresult cuGraphGetRootNodes(CUgraph handle, CUgraphNode *nodes,
                             size_t *count) {
  GPUEXEC_GRAPH(graph, handle);
  std::vector<const Node *> roots;
  for (const auto &node : graph->nodes)
    if (node->dependencies.empty())
      roots.push_back(node.get());
  return list(roots, nodes, nullptr, count);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edges, size_t *count) {
  return list_edges(graph, from, to, edges, count);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes,
                                       CUgraphEdgeData *edges, size_t *count) {
  return list_dependencies(node, nodes, edges, count);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *edges,
                                         size_t *count) {
  return list_dependents(node, nodes, edges, count);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   const CUgraphEdgeData *, size_t count) {
  return change_edges(graph, from, to, count, /*adds=*/true);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                      const CUgraphNode *to,
                                      const CUgraphEdgeData *, size_t count) {
  return change_edges(graph, from, to, count, /*adds=*/false);
}

// As CUDA 12 and older call them.
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
GPUEXEC_CUDA_EXPORT CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from,
                                             CUgraphNode *to, size_t *count) {
  return list_edges(graph, from, to, nullptr, count);
}
GPUEXEC_CUDA_EXPORT CUresult cuGraphNodeGetDependencies(CUgraphNode node,
                                                        CUgraphNode *nodes,
                                                        size_t *count) {
  return list_dependencies(node, nodes, nullptr, count);
}
GPUEXEC_CUDA_EXPORT CUresult cuGraphNodeGetDependentNodes(CUgraphNode node,
                                                          CUgraphNode *nodes,
                                                          size_t *count) {
  return list_dependents(node, nodes, nullptr, count);
}
GPUEXEC_CUDA_EXPORT CUresult cuGraphAddDependencies(CUgraph graph,
                                                    const CUgraphNode *from,
                                                    const CUgraphNode *to,
                                                    size_t count) {
  return change_edges(graph, from, to, count, /*adds=*/true);
}
GPUEXEC_CUDA_EXPORT CUresult cuGraphRemoveDependencies(CUgraph graph,
                                                       const CUgraphNode *from,
                                                       const CUgraphNode *to,
                                                       size_t count) {
  return change_edges(graph, from, to, count, /*adds=*/false);
}

CUresult cuGraphDestroyNode(CUgraphNode handle) {
  GPUEXEC_NODE(node, handle);
  GPUEXEC_REQUIRE(!node->graph->is_child, INVALID_VALUE);
  node->graph->remove(node.get());
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                     unsigned long long flags) {
  return instantiate(exec, graph, flags);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *how) {
  GPUEXEC_REQUIRE(how, INVALID_VALUE);
  const CUresult error = instantiate(exec, graph, how->flags);
  how->hErrNode_out = nullptr;
  how->result_out = error == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                    : error == CUDA_ERROR_NOT_SUPPORTED
                        ? CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
                        : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
  return error;
}

CUresult cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t *flags) {
  GPUEXEC_EXEC(exec, handle);
  GPUEXEC_REQUIRE(flags, INVALID_VALUE);
  *flags = exec->flags;
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec handle) {
  GPUEXEC_EXEC(exec, handle);
  Driver::get().graph_execs.take(handle); // launches that run keep the steps
  return CUDA_SUCCESS;
}

CUresult cuGraphUpload(CUgraphExec handle, CUstream stream_handle) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Stream> stream;
  GPUEXEC_TRY(find_stream(stream_handle, stream, context));
  GPUEXEC_EXEC(exec, handle);
  return CUDA_SUCCESS; // there is nothing to upload
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Stream> stream;
  GPUEXEC_TRY(find_stream(stream_handle, stream, context));
  GPUEXEC_TRY(refuse_captured(*context, *stream)); // as NVIDIA's driver does
  GPUEXEC_EXEC(exec, handle);
  return submit(*context, stream, *exec);
}

CUresult cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph_handle,
                              CUgraphExecUpdateResultInfo *info) {
  GPUEXEC_EXEC(exec, handle);
  auto graph = Driver::get().graphs.find(graph_handle);
  GPUEXEC_REQUIRE(graph && info, INVALID_VALUE);
  *info = {CU_GRAPH_EXEC_UPDATE_SUCCESS, nullptr, nullptr};
  GPUEXEC_TRY(update(*exec->graph, *graph, *info));
  GPUEXEC_REQUIRE(exec->prepare(), INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  return CUDA_SUCCESS; // nothing is kept
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device,
                                      CUgraphMem_attribute attribute,
                                      void *value) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  GPUEXEC_REQUIRE(value && attribute <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH,
                  INVALID_VALUE);
  const PoolUse &use = Driver::get().graph_memories.pool->use;
  const bool is_now = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT ||
                      attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT;
  *static_cast<cuuint64_t *>(value) = is_now ? use.now() : use.high();
  return CUDA_SUCCESS;
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device,
                                      CUgraphMem_attribute attribute,
                                      void *value) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  GPUEXEC_REQUIRE(value && *static_cast<cuuint64_t *>(value) == 0 &&
                      (attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH ||
                       attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH),
                  INVALID_VALUE);
  Driver::get().graph_memories.pool->use.reset_high();
  return CUDA_SUCCESS;
}
