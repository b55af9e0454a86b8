// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fourier transforms of 1024 complex numbers: decimation in time, with a table of sines; there and back. A unit is one
   pair. */
#include "../workloads/workload.h"
#include <math.h>
#include <string.h>

enum { N = 1024, BITS = 10 };

struct complex {
  double re, im;
};

static void transform(struct complex *x, const struct complex *roots, int back) {
  for (unsigned i = 0; i < N; i++) {
    unsigned j = 0;
    for (int bit = 0; bit < BITS; bit++)
      j |= (i >> bit & 1) << (BITS - 1 - bit);
    if (j > i) {
      struct complex t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
  }
  for (int half = 1; half < N; half *= 2)
    for (int group = 0; group < N; group += 2 * half)
      for (int k = 0; k < half; k++) {
        struct complex w = roots[k * (N / 2 / half)], *a = x + group + k, *b = a + half;
        if (back)
          w.im = -w.im;
        struct complex t = {b->re * w.re - b->im * w.im, b->re * w.im + b->im * w.re};
        *b = (struct complex){a->re - t.re, a->im - t.im};
        *a = (struct complex){a->re + t.re, a->im + t.im};
      }
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct complex *x = malloc(sizeof(struct complex) * (N + N / 2)), *roots = x + N;
  /* By a recurrence of double steps: the same bits on every machine. */
  double angle = 3.14159265358979323846 / (N / 2), s = angle - angle * angle * angle / 6, c = sqrt(1 - s * s);
  roots[0] = (struct complex){1, 0};
  for (int i = 1; i < N / 2; i++)
    roots[i] = (struct complex){roots[i - 1].re * c + roots[i - 1].im * s, roots[i - 1].im * c - roots[i - 1].re * s};
  for (int i = 0; i < N; i++)
    x[i] = (struct complex){(double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24), 0};
  for (unsigned unit = 0; unit < units; unit++) {
    transform(x, roots, 0);
    transform(x, roots, 1);
    for (int i = 0; i < N; i++) {
      x[i].re /= N;
      x[i].im /= N;
    }
  }
  uint32_t sum = 0;
  for (int i = 0; i < N; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i].re, 8);
    sum = sum * 31 + (uint32_t)(bits >> 20);
  }
  free(x);
  return sum;
}
