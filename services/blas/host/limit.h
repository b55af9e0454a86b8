//===-- services/blas/host/limit.h - Which calls a device's threads do themselves -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limit: the number of multiplications that a thread of the device does in
// the time of a call of the host. Programs measure both times
// (services/blas/device/here/limit.c). The shortest times of several programs
// are kept in a file for each device, because the machine may be busy while one
// program measures.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_HOST_LIMIT_H
#define GPUEXEC_SERVICES_BLAS_HOST_LIMIT_H

#include <pthread.h>
#include <stdint.h>

typedef struct {
  pthread_mutex_t mutex;
  uint64_t call_time, work_time; ///< shortest, in nanoseconds; 0: not known
  unsigned programs;             ///< number of programs that have measured
  int64_t told;                  ///< the user's own limit; below 0: none
  int file;                      ///< a descriptor; -1: nothing is kept
  char owner[256];               ///< names of the device and the machine
} small_limit;

/// Reads the times that are kept for the device, in `gpuexec/blas` of the
/// user's cache folder, and keeps the file open, because a sandbox would refuse
/// to open it later. If `told` is 0 or more it is the limit: nothing is read,
/// measured or kept.
void open_small_limit(small_limit *, const char *device, int64_t told);

/// Returns the limit plus 1, or 0 if it is not known. Sets `*is_wanted` if the
/// program should measure.
uint32_t get_small_limit(small_limit *, int *is_wanted);

/// Keeps the times that a program has measured. They come from the device:
/// impossible times are ignored, and a limit is at most BLAS_MOST_LIMIT, so
/// that a hostile program can only make others slower. If the file cannot be
/// written, the next program measures again.
void keep_small_limit(small_limit *, uint64_t call_time, uint64_t work_time);

void close_small_limit(small_limit *);

#endif
