// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortest ways in a graph: adjacency lists and a priority queue.
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

struct Edge {
  int to, length;
};

static std::vector<long> distances(const std::vector<std::vector<Edge>> &graph, int from) {
  std::vector<long> distance(graph.size(), -1);
  std::priority_queue<std::pair<long, int>> queue;
  queue.emplace(0, from);
  while (!queue.empty()) {
    auto [negative, node] = queue.top();
    queue.pop();
    if (distance[node] >= 0)
      continue;
    distance[node] = -negative;
    for (const Edge &edge : graph[node])
      if (distance[edge.to] < 0)
        queue.emplace(negative - edge.length, edge.to);
  }
  return distance;
}

int main() {
  constexpr int nodes = 3000;
  std::vector<std::vector<Edge>> graph(nodes);
  unsigned seed = 3;
  for (int i = 0; i < nodes * 5; ++i) {
    seed = seed * 1664525 + 1013904223;
    graph[(seed >> 8) % nodes].push_back({i % nodes, static_cast<int>(seed >> 24) + 1});
  }
  unsigned long sum = 0;
  for (int from = 0; from < 3; ++from)
    for (long distance : distances(graph, from))
      sum = sum * 31 + distance;
  std::printf("%lu\n", sum);
}
