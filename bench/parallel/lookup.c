//===-- bench/parallel/lookup.c - Cross sections of neutrons --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kind of look-up that XSBench measures: for a random energy and material,
// a binary search in each nuclide's table and an interpolation.
//   lookup [look-ups] [points of a table]
//===----------------------------------------------------------------------===//
#include "common.h"

enum { NUCLIDES = 68, MATERIALS = 12, KINDS = 5 };
typedef struct {
  double energy, sections[KINDS];
} point;

/// Nuclides of the materials: fuel has many, the others a few.
static const int counts[MATERIALS] = {34, 5,  4,  4,  27, 21,
                                      21, 21, 21, 21, 9,  9};

static double look_up(const point *points, long count, uint64_t number) {
  const double energy = fraction(2 * number);
  const int material = (int)(mix(2 * number + 1) % MATERIALS);
  double sums[KINDS] = {0};
  for (int i = 0; i < counts[material]; ++i) {
    const int nuclide = (material * 7 + i * 3) % NUCLIDES;
    const point *table = points + nuclide * count;
    long low = 0, length = count - 1; // the last point is above all
    while (length > 1) {
      const long half = length / 2;
      if (table[low + half].energy <= energy)
        low += half;
      length -= half;
    }
    const point *at = table + low;
    const double part = (energy - at->energy) / (at[1].energy - at->energy);
    const double density = 1.0 / (1 + i);
    for (int kind = 0; kind < KINDS; ++kind)
      sums[kind] +=
          density * (at->sections[kind] +
                     part * (at[1].sections[kind] - at->sections[kind]));
  }
  double most = 0;
  for (int kind = 0; kind < KINDS; ++kind)
    most = sums[kind] > most ? sums[kind] : most;
  return most;
}

int main(int argc, char **argv) {
  const long lookups = argument(argc, argv, 1, 1L << 22);
  const long count = argument(argc, argv, 2, 11303);
  point *points = allocate(sizeof *points * (size_t)(NUCLIDES * count));
#pragma omp parallel for
  for (long i = 0; i < NUCLIDES * count; ++i) {
    const long place = i % count;
    points[i].energy =
        ((double)place + 0.9 * fraction((uint64_t)i)) / (double)(count - 1);
    if (!place)
      points[i].energy = 0;
    for (int kind = 0; kind < KINDS; ++kind)
      points[i].sections[kind] = fraction((uint64_t)(i * KINDS + kind));
  }
  double sum = 0;
  const double begin = wall_time();
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < lookups; ++i)
    sum += look_up(points, count, (uint64_t)i);
  report_time(wall_time() - begin);
  printf("lookup %ld %ld: %.6e\n", lookups, count, sum);
  return 0;
}
