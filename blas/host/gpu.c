//===-- blas/host/gpu.c - See gpu.h ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas/host/gpu_lanes.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/// What NVIDIA recommends for cuBLAS on Hopper.
static const uint64_t WORKSPACE = 32 << 20;

static const char *open_lane(gpu_blas *gpu, gpu_lane *lane) {
  if (gpu->driver.create_stream(&lane->stream, CUDA_STREAM_NON_BLOCKING))
    return "no stream";
  if (gpu->blas.create(&lane->blas) ||
      gpu->blas.set_stream(lane->blas, lane->stream))
    return "cuBLAS cannot be initialised";
  if (gpu->driver.allocate(&lane->workspace, WORKSPACE) ||
      gpu->blas.set_workspace(lane->blas, (void *)lane->workspace, WORKSPACE))
    return "no memory for cuBLAS";
  if (gpu->driver.allocate(&lane->pointers, POINTERS_SIZE))
    return "no memory for addresses";
  if (gpu->solver.library &&
      (gpu->solver.create(&lane->solver) ||
       gpu->solver.set_stream(lane->solver, lane->stream)))
    return "cuSOLVER cannot be initialised";
  return NULL;
}

static const char *open_libraries(gpu_blas *gpu) {
  const char *error = open_cuda_driver(&gpu->driver);
  if (error)
    return error;
  if (gpu->driver.set_current(gpu->context))
    return "the program's context cannot be used";
  error = open_cublas(&gpu->blas, NULL);
  if (error)
    return error;
  (void)open_cusolver(&gpu->solver, NULL); // the host has LAPACK, too
  for (unsigned i = 0; !error && i < GPU_LANES; ++i)
    error = open_lane(gpu, &gpu->lanes[i]);
  return error;
}

gpu_blas *open_gpu_blas(void *context, char *error, size_t size) {
  gpu_blas *gpu = calloc(1, sizeof *gpu);
  if (!gpu) {
    snprintf(error, size, "out of memory");
    return NULL;
  }
  gpu->context = context;
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

static void close_lane(gpu_blas *gpu, gpu_lane *lane) {
  if (lane->solver)
    gpu->solver.destroy(lane->solver);
  if (lane->blas)
    gpu->blas.destroy(lane->blas);
  if (lane->workspace)
    gpu->driver.free(lane->workspace);
  if (lane->pointers)
    gpu->driver.free(lane->pointers);
  if (lane->stream)
    gpu->driver.destroy_stream(lane->stream);
}

void close_gpu_blas(gpu_blas *gpu) {
  // A program's fault has broken the context: the driver cleans up with the
  // process.
  const int works = gpu->driver.library &&
                    !gpu->driver.set_current(gpu->context) &&
                    (!gpu->lanes[0].stream ||
                     !gpu->driver.synchronize_stream(gpu->lanes[0].stream));
  for (unsigned i = 0; works && i < GPU_LANES; ++i)
    close_lane(gpu, &gpu->lanes[i]);
  // Libraries of CUDA stay: they have told the driver of themselves.
  pthread_cond_destroy(&gpu->freed);
  pthread_mutex_destroy(&gpu->mutex);
  free(gpu);
}

gpu_lane *find_free_lane(gpu_blas *gpu) {
  for (unsigned i = 0; i < GPU_LANES; ++i)
    if (!gpu->lanes[i].busy)
      return &gpu->lanes[i];
  return NULL;
}

int gpu_is_busy(gpu_blas *gpu) {
  int busy = 0;
  pthread_mutex_lock(&gpu->mutex);
  for (unsigned i = 0; i < GPU_LANES; ++i)
    busy |= gpu->lanes[i].busy;
  pthread_mutex_unlock(&gpu->mutex);
  return busy;
}

gpu_lane *take_lane(gpu_blas *gpu) {
  gpu_lane *lane;
  pthread_mutex_lock(&gpu->mutex);
  while (!(lane = find_free_lane(gpu)))
    pthread_cond_wait(&gpu->freed, &gpu->mutex);
  lane->busy = 1;
  pthread_mutex_unlock(&gpu->mutex);
  gpu->driver.set_current(gpu->context);
  return lane;
}

void give_lane(gpu_blas *gpu, gpu_lane *lane) {
  pthread_mutex_lock(&gpu->mutex);
  lane->busy = 0;
  pthread_cond_broadcast(&gpu->freed); // who waits for it, and whose calls
  pthread_mutex_unlock(&gpu->mutex);
}
