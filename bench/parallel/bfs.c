//===-- bench/parallel/bfs.c - Breadth-first search -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level by level, in a random graph in compressed rows.
//   bfs [vertices] [edges of a vertex] [searches]
//===----------------------------------------------------------------------===//
#include "common.h"

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 1 << 22);
  const int degree = (int)argument(argc, argv, 2, 8);
  const int searches = (int)argument(argc, argv, 3, 5);
  int *edges = allocate(sizeof *edges * (size_t)n * (size_t)degree);
  int *levels = allocate(sizeof *levels * (size_t)n);
  int *now = allocate(sizeof *now * (size_t)n),
      *next = allocate(sizeof *next * (size_t)n);
#pragma omp parallel for
  for (long i = 0; i < (long)n * degree; ++i)
    edges[i] = (int)(mix((uint64_t)i) % (uint64_t)n);
  double time = 0;
  long sum = 0, found = 0;
  for (int search = 0; search < searches; ++search) {
    const double begin = wall_time();
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      levels[i] = -1;
    const int start = (int)(mix((uint64_t)search) % (uint64_t)n);
    levels[start] = 0;
    now[0] = start;
    int count = 1;
    for (int level = 1; count; ++level) {
      int fresh = 0;
#pragma omp parallel for
      for (int i = 0; i < count; ++i)
        for (int edge = 0; edge < degree; ++edge) {
          const int to = edges[(long)now[i] * degree + edge];
          int seen;
#pragma omp atomic read
          seen = levels[to];
          if (seen >= 0)
            continue;
#pragma omp atomic capture
          {
            seen = levels[to];
            levels[to] = level;
          }
          if (seen >= 0)
            continue;
          int place;
#pragma omp atomic capture
          place = fresh++;
          next[place] = to;
        }
      int *other = now;
      now = next;
      next = other;
      count = fresh;
    }
    time += wall_time() - begin;
#pragma omp parallel for reduction(+ : sum, found)
    for (int i = 0; i < n; ++i) {
      sum += levels[i] < 0 ? 0 : levels[i];
      found += levels[i] >= 0;
    }
  }
  report_time(time);
  printf("bfs %d %d %d: %ld found, levels %ld\n", n, degree, searches, found,
         sum);
  return 0;
}
