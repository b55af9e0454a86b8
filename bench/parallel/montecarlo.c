//===-- bench/parallel/montecarlo.c - The price of an option --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An Asian option: paths of a price that moves at random, whose mean counts.
//   montecarlo [paths] [steps of a path]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <math.h>

static const double START = 100, STRIKE = 105, RATE = 0.03, SPREAD = 0.25;

/// Two numbers of a normal distribution.
static void normal(uint64_t *state, double *a, double *b) {
  const double u = 1 - fraction((*state)++), v = fraction((*state)++);
  const double length = sqrt(-2 * log(u));
  *a = length * cos(6.283185307179586 * v);
  *b = length * sin(6.283185307179586 * v);
}

static double pay(uint64_t path, int steps) {
  uint64_t state = path * (uint64_t)steps * 4;
  const double time = 1.0 / steps;
  const double drift = (RATE - SPREAD * SPREAD / 2) * time;
  const double width = SPREAD * sqrt(time);
  double price = START, sum = 0;
  for (int step = 0; step < steps; step += 2) {
    double a, b;
    normal(&state, &a, &b);
    price *= exp(drift + width * a);
    sum += price;
    price *= exp(drift + width * b);
    sum += price;
  }
  return fmax(sum / steps - STRIKE, 0);
}

int main(int argc, char **argv) {
  const long paths = argument(argc, argv, 1, 1L << 20);
  const int steps = (int)argument(argc, argv, 2, 64);
  double sum = 0;
  const double begin = wall_time();
#pragma omp parallel for reduction(+ : sum)
  for (long path = 0; path < paths; ++path)
    sum += pay((uint64_t)path, steps);
  const double price = exp(-RATE) * sum / (double)paths;
  report_time(wall_time() - begin);
  printf("montecarlo %ld %d: %.6f\n", paths, steps, price);
  return 0;
}
