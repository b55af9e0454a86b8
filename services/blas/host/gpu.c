//===-- services/blas/host/gpu.c - See gpu.h ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/host/gpu_queues.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/// Bytes of workspace that NVIDIA recommends for cuBLAS on Hopper.
static const uint64_t WORKSPACE = 32 << 20;

static const char *open_queue(gpu_blas *gpu, gpu_queue *queue) {
  if (gpu->driver.cuda.cuStreamCreate(&queue->stream, CU_STREAM_NON_BLOCKING))
    return "no stream";
  if (gpu->blas.create(&queue->blas) ||
      gpu->blas.set_stream(queue->blas, queue->stream))
    return "cuBLAS cannot be initialised";
  if (gpu->driver.cuda.cuMemAlloc_v2(&queue->workspace, WORKSPACE) ||
      gpu->blas.set_workspace(queue->blas, (void *)queue->workspace, WORKSPACE))
    return "no memory for cuBLAS";
  if (gpu->driver.cuda.cuMemAlloc_v2(&queue->pointers, POINTERS_SIZE))
    return "no memory for addresses";
  if (gpu->solver.library &&
      (gpu->solver.create(&queue->solver) ||
       gpu->solver.set_stream(queue->solver, queue->stream)))
    return "cuSOLVER cannot be initialised";
  return NULL;
}

static const char *open_libraries(gpu_blas *gpu) {
  const char *error = open_cuda_driver(&gpu->driver);
  if (error)
    return error;
  if (gpu->driver.cuda.cuCtxSetCurrent(gpu->context))
    return "the program's context cannot be used";
  error = open_cublas(&gpu->blas, NULL);
  if (error)
    return error;
  (void)open_cusolver(&gpu->solver, NULL); // the host has LAPACK, too
  for (unsigned i = 0; !error && i < GPU_QUEUES; ++i)
    error = open_queue(gpu, &gpu->queues[i]);
  return error;
}

gpu_blas *open_gpu_blas(void *context, call_times *times, char *error,
                        size_t size) {
  gpu_blas *gpu = calloc(1, sizeof *gpu);
  if (!gpu) {
    snprintf(error, size, "out of memory");
    return NULL;
  }
  gpu->context = context;
  gpu->times = times;
  pthread_mutex_init(&gpu->mutex, NULL);
  pthread_cond_init(&gpu->freed, NULL);
  gpu->last = &gpu->first;
  const char *why = open_libraries(gpu);
  if (why)
    snprintf(error, size, "%s", why);
  if (!why && !load_all_code(gpu, error, size))
    return gpu;
  close_gpu_blas(gpu);
  return NULL;
}

static void close_queue(gpu_blas *gpu, gpu_queue *queue) {
  if (queue->solver)
    gpu->solver.destroy(queue->solver);
  if (queue->blas)
    gpu->blas.destroy(queue->blas);
  if (queue->workspace)
    gpu->driver.cuda.cuMemFree_v2(queue->workspace);
  if (queue->pointers)
    gpu->driver.cuda.cuMemFree_v2(queue->pointers);
  if (queue->stream)
    gpu->driver.cuda.cuStreamDestroy_v2(queue->stream);
}

void close_gpu_blas(gpu_blas *gpu) {
  // If a fault of the program has broken the context, nothing is freed: the
  // driver cleans up when the process ends.
  const int works =
      gpu->driver.library && !gpu->driver.cuda.cuCtxSetCurrent(gpu->context) &&
      (!gpu->queues[0].stream ||
       !gpu->driver.cuda.cuStreamSynchronize(gpu->queues[0].stream));
  for (unsigned i = 0; works && i < GPU_QUEUES; ++i)
    close_queue(gpu, &gpu->queues[i]);
  // CUDA's libraries are not closed: the driver has pointers to their code.
  pthread_cond_destroy(&gpu->freed);
  pthread_mutex_destroy(&gpu->mutex);
  free(gpu);
}

gpu_queue *find_free_queue(gpu_blas *gpu) {
  for (unsigned i = 0; i < GPU_QUEUES; ++i)
    if (!gpu->queues[i].busy)
      return &gpu->queues[i];
  return NULL;
}

int gpu_is_busy(gpu_blas *gpu) {
  int busy = 0;
  pthread_mutex_lock(&gpu->mutex);
  for (unsigned i = 0; i < GPU_QUEUES; ++i)
    busy |= gpu->queues[i].busy;
  pthread_mutex_unlock(&gpu->mutex);
  return busy;
}

gpu_queue *take_queue(gpu_blas *gpu) {
  gpu_queue *queue;
  pthread_mutex_lock(&gpu->mutex);
  while (!(queue = find_free_queue(gpu)))
    pthread_cond_wait(&gpu->freed, &gpu->mutex);
  queue->busy = 1;
  pthread_mutex_unlock(&gpu->mutex);
  gpu->driver.cuda.cuCtxSetCurrent(gpu->context);
  return queue;
}

void give_queue(gpu_blas *gpu, gpu_queue *queue) {
  pthread_mutex_lock(&gpu->mutex);
  queue->busy = 0;
  pthread_cond_broadcast(&gpu->freed); // take_queue() and do_on_gpu() wait
  pthread_mutex_unlock(&gpu->mutex);
}
