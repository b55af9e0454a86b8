//===-- services/blas/host/gpu_queues.h - Calls of a GPU's libraries side by side -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_HOST_GPU_QUEUES_H
#define GPUEXEC_SERVICES_BLAS_HOST_GPU_QUEUES_H

#include "services/blas/cuda/cusolver.h"
#include "services/blas/cuda/driver.h"
#include "services/blas/host/gpu.h"
#include <pthread.h>

enum {
  GPU_QUEUES = 4,      ///< at a time; others wait
  MOST_GATHERED = 256, ///< calls that one queue does together
  POINTERS_SIZE = 3 * MOST_GATHERED * sizeof(uint64_t),
};

/// What a call needs: a CUDA stream of its own, which waits for nobody else's
/// calls, and the handles of the libraries that use it.
typedef struct {
  CUstream stream;
  void *blas, *solver;
  CUdeviceptr workspace; ///< of cuBLAS, on the device
  CUdeviceptr pointers;  ///< POINTERS_SIZE bytes there, for batched calls
  int busy;
} gpu_queue;

struct gpu_blas {
  CUcontext context;
  cuda_driver driver;
  cublas blas;
  cusolver solver; ///< its library is NULL where there is none
  gpu_queue queues[GPU_QUEUES];
  pthread_mutex_t mutex;           ///< of what follows, and of busy
  pthread_cond_t freed;            ///< a queue, or calls are done
  struct gpu_group *first, **last; ///< calls that no queue does yet
};

/// A queue for this thread, which is in the context then. Waits for one.
gpu_queue *take_queue(gpu_blas *);
void give_queue(gpu_blas *, gpu_queue *);

/// With the mutex: a queue that is not busy, or NULL.
gpu_queue *find_free_queue(gpu_blas *);

/// Begins calls on the queue; those that are alike and small as a batch. Their
/// status is set.
void begin_calls(gpu_blas *, gpu_queue *, gpu_call **calls, unsigned count);

/// Calls all that the libraries have, in each queue. 0, or a line in `error`.
int load_all_code(gpu_blas *, char *error, size_t size);

#endif
