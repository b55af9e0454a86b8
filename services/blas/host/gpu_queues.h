//===-- services/blas/host/gpu_queues.h - Calls of a GPU's libraries side by side -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_HOST_GPU_QUEUES_H
#define GPUEXEC_SERVICES_BLAS_HOST_GPU_QUEUES_H

#include "services/blas/cuda/cusolver.h"
#include "services/blas/cuda/driver.h"
#include "services/blas/host/gpu.h"
#include <pthread.h>

enum {
  GPU_QUEUES = 4,      ///< queues that work at a time
  MOST_GATHERED = 256, ///< the most calls that one queue does together
  POINTERS_SIZE = 3 * MOST_GATHERED * sizeof(uint64_t),
};

/// A CUDA stream, which does not wait for calls in other streams, and the
/// libraries' handles that use it.
typedef struct {
  CUstream stream;
  void *blas, *solver;
  CUdeviceptr workspace; ///< of cuBLAS, on the device
  CUdeviceptr pointers;  ///< POINTERS_SIZE bytes on the device, for batches
  int busy;
  const void *caller; ///< of the call that is alone and goes on; or NULL
  gpu_call alone;     ///< that call
} gpu_queue;

struct gpu_blas {
  CUcontext context;
  call_times *times;
  cuda_driver driver;
  cublas blas;
  cusolver solver; ///< its library is NULL if this machine has none
  gpu_queue queues[GPU_QUEUES];
  pthread_mutex_t mutex;           ///< protects the groups and queues' `busy`
  pthread_cond_t freed;            ///< a queue is free, or a batch is done
  struct gpu_group *first, **last; ///< groups that no queue has taken yet
};

/// Waits for a free queue and takes it; makes the context this thread's current
/// one.
gpu_queue *take_queue(gpu_blas *);
void give_queue(gpu_blas *, gpu_queue *);

/// A queue that is not busy, or NULL. The caller holds the mutex.
gpu_queue *find_free_queue(gpu_blas *);

/// Starts calls on the queue and sets their status. Small calls that differ
/// only in their arrays are started as one batch.
void begin_calls(gpu_blas *, gpu_queue *, gpu_call **calls, unsigned count);

/// Calls each function of the libraries, in each queue. Not 0 after a failure,
/// with a line in `error`.
int load_all_code(gpu_blas *, char *error, size_t size);

#endif
