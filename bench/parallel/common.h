//===-- bench/parallel/common.h - What the programs share -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each program computes something with OpenMP, and prints what it has found to
// stdout and how long that took to stderr. The work is measured without the
// making of its input. Arguments: a size, and how often.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BENCH_PARALLEL_COMMON_H
#define GPUEXEC_BENCH_PARALLEL_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Argument `which`, or `otherwise` if there is none.
static inline long argument(int argc, char **argv, int which, long otherwise) {
  return argc > which ? atol(argv[which]) : otherwise;
}

/// Seconds.
static inline double wall_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static inline void report_time(double seconds) {
  fprintf(stderr, "seconds %.9f\n", seconds);
}

static inline void *allocate(size_t size) {
  void *memory = malloc(size);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", size);
    exit(1);
  }
  return memory;
}

/// A number that looks random, the same for the same `n` everywhere.
static inline uint64_t mix(uint64_t n) {
  n += 0x9e3779b97f4a7c15u;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
  n = (n ^ n >> 27) * 0x94d049bb133111ebu;
  return n ^ n >> 31;
}

/// The same from 0 to 1, without 1.
static inline double fraction(uint64_t n) {
  return (double)(mix(n) >> 11) * 0x1p-53;
}

#endif
