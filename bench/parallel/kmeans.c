//===-- bench/parallel/kmeans.c - Clusters of points ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fixed-point coordinates, so that sums do not depend on their order.
//   kmeans [points] [iterations]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <string.h>

enum { AXES = 4, CLUSTERS = 8 };

int main(int argc, char **argv) {
  const long n = argument(argc, argv, 1, 1L << 22);
  const int iterations = (int)argument(argc, argv, 2, 20);
  int(*points)[AXES] = allocate(sizeof *points * (size_t)n);
  int centres[CLUSTERS][AXES];
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    for (int axis = 0; axis < AXES; ++axis)
      points[i][axis] = (int)(mix((uint64_t)(i * AXES + axis)) % 1024) +
                        (int)(mix((uint64_t)i) % CLUSTERS) * 500;
  for (int cluster = 0; cluster < CLUSTERS; ++cluster)
    for (int axis = 0; axis < AXES; ++axis)
      centres[cluster][axis] = points[cluster * (n / CLUSTERS)][axis];
  long moved = 0;
  const double begin = wall_time();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    long sums[CLUSTERS * (AXES + 1)] = {0};
#pragma omp parallel for reduction(+ : sums[:CLUSTERS * (AXES + 1)])
    for (long i = 0; i < n; ++i) {
      int best = 0;
      long nearest = 1L << 60;
      for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
        long distance = 0;
        for (int axis = 0; axis < AXES; ++axis) {
          const long apart = points[i][axis] - centres[cluster][axis];
          distance += apart * apart;
        }
        if (distance < nearest) {
          nearest = distance;
          best = cluster;
        }
      }
      for (int axis = 0; axis < AXES; ++axis)
        sums[best * (AXES + 1) + axis] += points[i][axis];
      ++sums[best * (AXES + 1) + AXES];
    }
    moved = 0;
    for (int cluster = 0; cluster < CLUSTERS; ++cluster)
      for (int axis = 0; axis < AXES; ++axis) {
        const long count = sums[cluster * (AXES + 1) + AXES];
        if (!count)
          continue;
        const int to = (int)(sums[cluster * (AXES + 1) + axis] / count);
        moved += labs((long)to - centres[cluster][axis]);
        centres[cluster][axis] = to;
      }
  }
  report_time(wall_time() - begin);
  long sum = 0;
  for (int cluster = 0; cluster < CLUSTERS; ++cluster)
    for (int axis = 0; axis < AXES; ++axis)
      sum = sum * 31 + centres[cluster][axis];
  printf("kmeans %ld %d: moved %ld, %016lx\n", n, iterations, moved,
         (unsigned long)sum);
  return 0;
}
