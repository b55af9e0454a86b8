//===-- emulator/cuda/driver/graph.h - Graphs of work -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph is work that a program describes once, node by node or by capturing
// streams, and launches often. Its nodes run one after the other here, each
// behind those that it depends on: a kernel alone fills the device.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_GRAPH_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_GRAPH_H

#include "emulator/cuda/driver/stream.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gpuexec::cuda {

class Graph;
class GraphMemory;
struct GraphExec;

/// A kernel's launch as the program described it.
struct KernelCall {
  CUfunction function = nullptr;
  std::array<unsigned, 3> blocks{}, threads{};
  unsigned shared = 0;
  std::string arguments;       ///< at their offsets
  std::vector<size_t> offsets; ///< of the parameters
  std::map<CUkernelNodeAttrID, CUkernelNodeAttrValue> attributes;
  /// The addresses of the arguments, for cuGraphKernelNodeGetParams().
  std::vector<void *> pointers;
};

struct Allocation {
  CUDA_MEM_ALLOC_NODE_PARAMS parameters;
  std::shared_ptr<GraphMemory> memory;
};

struct EventUse {
  CUevent handle = nullptr;
  std::shared_ptr<Event> event;
};

/// What a node does: its parameters, which a program can ask for, and the work
/// that was made of them. Events, memory and child graphs have no work.
struct NodeContent {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  std::variant<std::monostate, KernelCall, CUDA_MEMCPY3D,
               CUDA_MEMSET_NODE_PARAMS, CUDA_HOST_NODE_PARAMS, EventUse,
               Allocation, CUDA_MEM_FREE_NODE_PARAMS, std::shared_ptr<Graph>>
      parameters;
  Stream::Work work;
};

struct Node {
  NodeContent content;
  std::vector<Node *> dependencies; ///< of the same graph
  Graph *graph = nullptr;
  const Node *original = nullptr; ///< the node that this is a copy of
  bool enabled = true;            ///< of an executable graph
};

/// The caller holds the lock of all graphs, Driver::graphs_mutex.
class Graph {
public:
  Graph() = default;
  Graph(const Graph &) = delete;
  /// Its nodes are no nodes any more for whoever has their handles.
  ~Graph();
  /// In the order in which they were made.
  std::vector<std::shared_ptr<Node>> nodes;
  bool is_child = false; ///< owned by a node: it cannot be destroyed
  /// The newest executable graph that was made of this one.
  std::weak_ptr<GraphExec> instantiated;

  std::shared_ptr<Node> add(NodeContent content,
                            std::vector<Node *> dependencies);
  void remove(Node *node);
  /// A copy of the graph and of the child graphs in it.
  std::shared_ptr<Graph> copy() const;
  /// True if nodes of the graph allocate or free memory. Such a graph has one
  /// executable graph at a time, and a program cannot copy it.
  bool has_memory() const;
  /// The nodes behind those that they depend on; empty if that is impossible.
  std::vector<const Node *> sorted() const;
  /// The copy of a node in this graph or in the child graphs, or null.
  Node *copy_of(const Node *original) const;
  /// The place of a node among those of its graph.
  size_t place_of(const Node *node) const;
};

/// An executable graph: a copy, and its nodes' work in the order of a launch.
struct GraphExec {
  struct Step {
    Stream::Work work;
    std::shared_ptr<Event> recorded, awaited;    ///< or null
    std::shared_ptr<GraphMemory> allocated = {}; ///< or null
    CUdeviceptr freed = 0;
  };
  std::shared_ptr<Graph> graph;
  unsigned long long flags = 0;
  std::shared_ptr<const std::vector<Step>> steps;
  Position last; ///< of the newest launch: the next one comes behind it

  /// Makes the steps; false if nodes depend on each other in a circle.
  bool prepare();
};

} // namespace gpuexec::cuda

#endif
