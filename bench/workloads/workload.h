// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the workloads share. Each defines work(seed, units): some computation, `units` times over, whose result depends on
   all of it. On a device every thread works with its own number as the seed; on the host one thread does the same for
   as many seeds as argv[2] says. Either way the sum of all results is printed, so that the two can be compared.
   With -DORDINARY_PROGRAM it is a program of one thread, which never asks for a thread's number.
   usage: WORKLOAD UNITS [THREADS, host only] */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#if !defined(ORDINARY_PROGRAM)
#include "../../examples/grid.h"
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t work(uint32_t seed, unsigned units);

#if !defined(ORDINARY_PROGRAM)
static unsigned arrived;
static uint32_t total;
#endif

int main(int argc, char **argv) {
  unsigned units = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
#if defined(ORDINARY_PROGRAM)
  uint32_t result = work(0, units);
#elif defined(__AMDGPU__) || defined(__NVPTX__)
  uint32_t result = work(thread_number(), units);
#else
  uint32_t result = 0;
  for (unsigned seed = 0, count = argc > 2 ? (unsigned)atoi(argv[2]) : 1; seed < count; seed++)
    result += work(seed, units);
#endif
#if defined(ORDINARY_PROGRAM)
  printf("%08x\n", result);
#else
  __atomic_fetch_add(&total, result, __ATOMIC_RELAXED);
  if (last_to_arrive(&arrived))
    printf("%08x\n", __atomic_load_n(&total, __ATOMIC_RELAXED));
#endif
  return 0;
}

#endif
