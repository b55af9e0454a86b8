//===-- bench/parallel/histogram.c - How often each byte is there ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   histogram [bytes] [times]
//===----------------------------------------------------------------------===//
#include "common.h"

enum { BINS = 256 };

int main(int argc, char **argv) {
  const long size = argument(argc, argv, 1, 1L << 28);
  const int times = (int)argument(argc, argv, 2, 10);
  unsigned char *bytes = allocate((size_t)size);
#pragma omp parallel for
  for (long i = 0; i < size; ++i)
    bytes[i] = (unsigned char)(mix((uint64_t)i) & mix((uint64_t)i + 1));
  unsigned counts[BINS];
  const double begin = wall_time();
  for (int time = 0; time < times; ++time) {
    for (int bin = 0; bin < BINS; ++bin)
      counts[bin] = 0;
#pragma omp parallel for reduction(+ : counts[:BINS])
    for (long i = 0; i < size; ++i)
      ++counts[bytes[i]];
  }
  report_time(wall_time() - begin);
  unsigned long sum = 0;
  for (int bin = 0; bin < BINS; ++bin)
    sum = sum * 31 + counts[bin];
  printf("histogram %ld: %u %u %u, %016lx\n", size, counts[0], counts[85],
         counts[255], sum);
  return 0;
}
