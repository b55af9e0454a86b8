// For test programs that run in many threads: which thread this is, and a check that names it. Programs for the host may
// include it too.
#ifndef GPUEXEC_TEST_EXPECT_H
#define GPUEXEC_TEST_EXPECT_H

#include <stdio.h>
#ifdef __gpuexec__
#include <gpuintrin.h>
#endif

// Number of the calling thread in the grid, of up to three dimensions: blocks in order, the threads of a block in order.
static inline unsigned thread_of_the_grid(void) {
  unsigned thread = 0;
#ifdef __gpuexec__
  for (int dimension = 2; dimension >= 0; --dimension)
    thread = thread * __gpu_num_blocks(dimension) + __gpu_block_id(dimension);
  for (int dimension = 2; dimension >= 0; --dimension)
    thread = thread * __gpu_num_threads(dimension) + __gpu_thread_id(dimension);
#endif
  return thread;
}

// The condition; when it is false, a line on standard error with thread, condition and the values that FORMAT prints.
#define EXPECT(condition, format, ...)                                                                                         \
  ((condition) || (fprintf(stderr, "%s:%d: thread %u: not %s: " format "\n", __FILE__, __LINE__, thread_of_the_grid(),         \
                           #condition, ##__VA_ARGS__),                                                                         \
                   0))

#endif
