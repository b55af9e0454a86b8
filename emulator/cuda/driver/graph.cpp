//===-- emulator/cuda/driver/graph.cpp - See graph.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/graph.h"
#include "emulator/cuda/driver/driver.h"

#include <algorithm>
#include <unordered_map>

namespace gpuexec::cuda {

/// The handles of a node and of the child graph in it are none any more.
static void drop_handles(const Node &node) {
  Driver::get().nodes.take(&node);
  if (auto *child =
          std::get_if<std::shared_ptr<Graph>>(&node.content.parameters))
    Driver::get().graphs.take(child->get());
}

Graph::~Graph() {
  for (const auto &node : nodes)
    drop_handles(*node);
}

std::shared_ptr<Node> Graph::add(NodeContent content,
                                 std::vector<Node *> dependencies) {
  auto node = std::make_shared<Node>();
  node->content = std::move(content);
  node->dependencies = std::move(dependencies);
  node->graph = this;
  nodes.push_back(node);
  return node;
}

void Graph::remove(Node *node) {
  drop_handles(*node);
  for (const auto &other : nodes)
    std::erase(other->dependencies, node);
  std::erase_if(nodes, [&](const auto &each) { return each.get() == node; });
}

std::shared_ptr<Graph> Graph::copy() const {
  auto result = std::make_shared<Graph>();
  result->is_child = is_child;
  std::unordered_map<const Node *, Node *> copies;
  for (const auto &node : nodes) {
    auto copied = result->add(node->content, {});
    copied->original = node.get();
    copied->enabled = node->enabled;
    if (auto *child =
            std::get_if<std::shared_ptr<Graph>>(&copied->content.parameters))
      *child = (*child)->copy();
    copies[node.get()] = copied.get();
  }
  for (const auto &node : nodes)
    for (Node *dependency : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[dependency]);
  return result;
}

bool Graph::has_memory() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto &node) {
    return node->content.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ||
           node->content.type == CU_GRAPH_NODE_TYPE_MEM_FREE;
  });
}

std::vector<const Node *> Graph::sorted() const {
  std::vector<const Node *> order;
  std::unordered_map<const Node *, size_t> missing;
  std::unordered_map<const Node *, std::vector<const Node *>> dependents;
  for (const auto &node : nodes) {
    missing[node.get()] = node->dependencies.size();
    for (const Node *dependency : node->dependencies)
      dependents[dependency].push_back(node.get());
    if (node->dependencies.empty())
      order.push_back(node.get());
  }
  for (size_t at = 0; at < order.size(); ++at)
    for (const Node *dependent : dependents[order[at]])
      if (--missing[dependent] == 0)
        order.push_back(dependent);
  return order.size() == nodes.size() ? order : std::vector<const Node *>();
}

Node *Graph::copy_of(const Node *original) const {
  for (const auto &node : nodes) {
    if (node->original == original)
      return node.get();
    if (auto *child =
            std::get_if<std::shared_ptr<Graph>>(&node->content.parameters))
      if (Node *found = (*child)->copy_of(original))
        return found;
  }
  return nullptr;
}

size_t Graph::place_of(const Node *node) const {
  return size_t(
      std::find_if(nodes.begin(), nodes.end(),
                   [&](const auto &each) { return each.get() == node; }) -
      nodes.begin());
}

/// Adds the steps of a graph; false if its nodes are in a circle.
static bool add_steps(const Graph &graph, std::vector<GraphExec::Step> &steps) {
  const std::vector<const Node *> order = graph.sorted();
  if (order.empty() && !graph.nodes.empty())
    return false;
  for (const Node *node : order) {
    if (!node->enabled)
      continue;
    const NodeContent &content = node->content;
    if (auto *child =
            std::get_if<std::shared_ptr<Graph>>(&content.parameters)) {
      if (!add_steps(**child, steps))
        return false;
    } else if (auto *use = std::get_if<EventUse>(&content.parameters)) {
      const bool records = content.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
      steps.push_back({nullptr, records ? use->event : nullptr,
                       records ? nullptr : use->event});
    } else if (auto *made = std::get_if<Allocation>(&content.parameters)) {
      steps.push_back({nullptr, nullptr, nullptr, made->memory});
    } else if (auto *freed = std::get_if<CUDA_MEM_FREE_NODE_PARAMS>(
                   &content.parameters)) {
      steps.push_back({nullptr, nullptr, nullptr, nullptr, freed->dptr});
    } else if (content.work) {
      steps.push_back({content.work, nullptr, nullptr});
    }
  }
  return true;
}

bool GraphExec::prepare() {
  auto made = std::make_shared<std::vector<Step>>();
  if (!add_steps(*graph, *made))
    return false;
  steps = std::move(made);
  return true;
}

} // namespace gpuexec::cuda
