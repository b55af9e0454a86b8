//===-- blas/host/gpu_lanes.h - Calls of a GPU's libraries side by side ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_BLAS_HOST_GPU_LANES_H
#define GPUEXEC_BLAS_HOST_GPU_LANES_H

#include "blas/cuda/cusolver.h"
#include "blas/cuda/driver.h"
#include "blas/host/gpu.h"
#include <pthread.h>

enum {
  GPU_LANES = 4,       ///< at a time; others wait
  MOST_GATHERED = 256, ///< calls that one lane does together
  POINTERS_SIZE = 3 * MOST_GATHERED * sizeof(uint64_t),
};

/// What a call needs: a stream, in which nothing of others is waited for.
typedef struct {
  void *stream, *blas, *solver;
  uint64_t workspace; ///< of cuBLAS, on the device
  uint64_t pointers;  ///< POINTERS_SIZE bytes there, for batched calls
  int busy;
} gpu_lane;

struct gpu_blas {
  void *context;
  cuda_driver driver;
  cublas blas;
  cusolver solver; ///< its library is NULL where there is none
  gpu_lane lanes[GPU_LANES];
  pthread_mutex_t mutex;           ///< of what follows, and of busy
  pthread_cond_t freed;            ///< a lane, or calls are done
  struct gpu_group *first, **last; ///< calls that no lane does yet
};

/// A lane for this thread, which is in the context then. Waits for one.
gpu_lane *take_lane(gpu_blas *);
void give_lane(gpu_blas *, gpu_lane *);

/// With the mutex: a lane that is not busy, or NULL.
gpu_lane *find_free_lane(gpu_blas *);

/// Begins calls on the lane; those that are alike and small as a batch. Their
/// status is set.
void begin_calls(gpu_blas *, gpu_lane *, gpu_call **calls, unsigned count);

/// Calls all that the libraries have, in each lane. 0, or a line in `error`.
int load_all_code(gpu_blas *, char *error, size_t size);

#endif
