//===-- bench/parallel/fourier.c - Fast Fourier transform -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of one row of numbers, with radix 4, from one array to another and back
// (Stockham).
//   fourier [numbers, a power of 4] [times]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <math.h>

typedef struct {
  double re, im;
} number;

static inline number add(number a, number b) {
  return (number){a.re + b.re, a.im + b.im};
}
static inline number subtract(number a, number b) {
  return (number){a.re - b.re, a.im - b.im};
}
static inline number multiply(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// One pass: transforms of 4 parts that are a quarter apart. `stride`: how many
/// results of earlier passes lie side by side. roots: exp(-2 pi i k / n).
static void pass(const number *restrict from, number *restrict to,
                 const number *restrict roots, long n, long stride) {
  const long quarter = n / 4;
#pragma omp parallel for
  for (long i = 0; i < quarter; ++i) {
    const long low = i & (stride - 1), part = i - low;
    const number a = from[i], b = from[i + quarter], c = from[i + 2 * quarter],
                 d = from[i + 3 * quarter];
    const number sum = add(a, c), difference = subtract(a, c),
                 sum_of_odd = add(b, d), turned = subtract(b, d);
    const number quarter_turn = {turned.im, -turned.re};
    const long at = 4 * part + low;
    to[at] = add(sum, sum_of_odd);
    to[at + stride] = multiply(add(difference, quarter_turn), roots[part]);
    to[at + 2 * stride] = multiply(subtract(sum, sum_of_odd), roots[2 * part]);
    to[at + 3 * stride] =
        multiply(subtract(difference, quarter_turn), roots[3 * part]);
  }
}

int main(int argc, char **argv) {
  const long n = argument(argc, argv, 1, 1L << 22);
  const int times = (int)argument(argc, argv, 2, 10);
  number *a = allocate(sizeof *a * (size_t)n),
         *b = allocate(sizeof *b * (size_t)n),
         *roots = allocate(sizeof *roots * (size_t)n);
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    const double angle = -6.283185307179586 * (double)i / (double)n;
    roots[i] = (number){cos(angle), sin(angle)};
    a[i] = (number){fraction((uint64_t)i) - 0.5, 0};
  }
  const double begin = wall_time();
  for (int time = 0; time < times; ++time) {
    for (long stride = 1; stride < n; stride *= 4) {
      pass(a, b, roots, n, stride);
      number *other = a;
      a = b;
      b = other;
    }
    // The square root of n keeps the size of the numbers.
    const double scale = 1 / sqrt((double)n);
#pragma omp parallel for
    for (long i = 0; i < n; ++i) {
      a[i].re *= scale;
      a[i].im *= scale;
    }
  }
  report_time(wall_time() - begin);
  double power = 0, sum = 0;
#pragma omp parallel for reduction(+ : power, sum)
  for (long i = 0; i < n; ++i) {
    power += a[i].re * a[i].re + a[i].im * a[i].im;
    sum += a[i].re * (double)(i % 7);
  }
  printf("fourier %ld %d: power %.6e, sum %.6f\n", n, times, power, sum);
  return 0;
}
