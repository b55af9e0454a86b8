//===-- bench/algorithms/algorithms.cpp - Parallel algorithms of the standard library ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduce, transform, scan and sort of N numbers with std::execution::par; on a
// GPU beside the same loops by OpenMP (loops.c). Prints milliseconds, the best
// of some turns.
//   gpucc -O2 -fopenmp --arch=sm_90 -c loops.c
//   gpuc++ -O2 -std=c++17 --arch=sm_90 algorithms.cpp loops.o -o algorithms
//   gpuexec --heap-size=8G ./algorithms 100000000 5
// Natively: g++ -O2 -std=c++17 -DNATIVE algorithms.cpp -ltbb
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <chrono>
#include <execution>
#include <numeric>
#include <stdio.h>
#include <stdlib.h>

#ifndef NATIVE
extern "C" {
long loop_reduce(const int *from, long n);
void loop_transform(const int *from, int *to, long n);
}
#endif

static unsigned scrambled(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ x >> 16;
}

template <typename CALL> static double best(int turns, CALL call) {
  double least = 1e9;
  for (int i = 0; i < turns; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    least = took.count() < least ? took.count() : least;
  }
  return least;
}

static void show(const char *what, double par, double loop, double megabytes) {
  printf("%-12s %9.3f ms %7.0f GB/s", what, par, megabytes / par);
  if (loop)
    printf("   by OpenMP %9.3f ms  %.2f as fast", loop, loop / par);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 100000000;
  const int turns = argc > 2 ? atoi(argv[2]) : 5;
  int *const in = (int *)malloc(n * sizeof(int)), *const out = (int *)malloc(n * sizeof(int));
  const double megabytes = 1e-6 * double(n) * sizeof(int);
  if (!in || !out) {
    fprintf(stderr, "no memory for %ld numbers: gpuexec --heap-size=4G\n", n);
    return 1;
  }
  std::for_each(std::execution::par, in, in + n, [in](int &x) { x = int(scrambled(unsigned(&x - in))); });

  volatile long sum = 0, other = 0;
  double par = best(turns, [&] { sum = std::reduce(std::execution::par, in, in + n, 0L); });
  double loop = 0;
#ifndef NATIVE
  loop = best(turns, [&] { other = loop_reduce(in, n); });
  if (sum != other)
    printf("reduce: %ld, %ld\n", sum, other);
#endif
  show("reduce", par, loop, megabytes);

  par = best(turns, [&] { std::transform(std::execution::par_unseq, in, in + n, out, [](int x) { return x * 3 + 1; }); });
#ifndef NATIVE
  loop = best(turns, [&] { loop_transform(in, out, n); });
#endif
  show("transform", par, loop, 2 * megabytes);
  par = best(turns, [&] { std::inclusive_scan(std::execution::par, in, in + n, out); });
  show("scan", par, 0, 2 * megabytes);
  par = best(turns, [&] { sum = std::min_element(std::execution::par, in, in + n) - in; });
  show("min_element", par, 0, megabytes);

  double least = 1e9;
  for (int i = 0; i < (turns < 3 ? turns : 3); ++i) {
    std::copy(std::execution::par, in, in + n, out);
    const double took = best(1, [&] { std::sort(std::execution::par, out, out + n); });
    least = took < least ? took : least;
  }
  show("sort", least, 0, megabytes);
  if (!std::is_sorted(std::execution::par, out, out + n))
    printf("sort: not sorted\n");
  return 0;
}
