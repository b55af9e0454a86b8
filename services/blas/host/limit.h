//===-- services/blas/host/limit.h - Which calls a device's threads do themselves -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many multiplications take a thread of the device as long as a call of the
// host. Programs measure both (services/blas/device/here/limit.c), and the
// shortest times are kept in a file for each device: of some programs, since
// the machine may be busy while one measures.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_HOST_LIMIT_H
#define GPUEXEC_SERVICES_BLAS_HOST_LIMIT_H

#include <pthread.h>
#include <stdint.h>

typedef struct {
  pthread_mutex_t mutex;
  uint64_t call_time, work_time; ///< nanoseconds, the shortest; 0: not known
  unsigned programs;             ///< that have measured
  int64_t told;                  ///< the user's own limit; below 0: none
  int file;                      ///< where it is kept; -1: nowhere
  char owner[256];               ///< the device and the machine
} small_limit;

/// Reads what is kept of the device, in `gpuexec/blas` of the user's caches.
/// The file is opened now, for a sandbox opens none later. With `told`, 0 or
/// more, nothing is read, measured or kept: that is the limit.
void open_small_limit(small_limit *, const char *device, int64_t told);

/// The limit and 1; 0: it is not known. `*is_wanted`: it is to be measured.
uint32_t get_small_limit(small_limit *, int *is_wanted);

/// Keeps what a program has measured. It comes from the device: times that
/// cannot be are not taken, and no limit is over BLAS_MOST_LIMIT, so that a
/// hostile program makes others slower at most. Where nothing can be written
/// the next program measures again.
void keep_small_limit(small_limit *, uint64_t call_time, uint64_t work_time);

void close_small_limit(small_limit *);

#endif
