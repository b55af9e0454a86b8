//===-- emulator/cuda/driver/api_graph.h - For graph calls ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_API_GRAPH_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_API_GRAPH_H

#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/graph.h"

/// `name`: the object of a handle. The lock of all graphs is held from here on.
#define GPUEXEC_LOCKED(name, handle, handles)                                  \
  std::lock_guard guard(gpuexec::cuda::Driver::get().graphs_mutex);            \
  auto name = gpuexec::cuda::Driver::get().handles.find(handle);               \
  GPUEXEC_REQUIRE(name, INVALID_VALUE)
#define GPUEXEC_GRAPH(graph, handle) GPUEXEC_LOCKED(graph, handle, graphs)
#define GPUEXEC_NODE(node, handle) GPUEXEC_LOCKED(node, handle, nodes)
#define GPUEXEC_EXEC(exec, handle) GPUEXEC_LOCKED(exec, handle, graph_execs)

namespace gpuexec::cuda {

/// Adds the nodes of handles, without those that `nodes` has. False if one is
/// no node of the graph.
bool find_nodes(const Graph &graph, const CUgraphNode *handles, size_t count,
                std::vector<Node *> &nodes);

/// The nodes of the graph get handles.
inline void add_nodes(const Graph &graph) {
  for (const auto &node : graph.nodes)
    Driver::get().nodes.add<CUgraphNode>(node);
}

} // namespace gpuexec::cuda

#endif
