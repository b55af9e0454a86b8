//===-- offload/blas/device/team.h - Threads that copy together -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One core copies memory at a fifth of the rate of a bus to a GPU; therefore
// several threads copy.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_DEVICE_TEAM_H
#define GPUEXEC_OFFLOAD_BLAS_DEVICE_TEAM_H

#include <pthread.h>
#include <stddef.h>

/// A part of a job: items [begin, end).
typedef void team_part(void *job, size_t begin, size_t end);

enum { TEAM_HELPERS = 3 };

typedef struct {
  int helpers; ///< threads beside the caller
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  team_part *part;
  void *job;
  size_t items;
  unsigned round; ///< the number of the job
  int joined, working;
} copy_team;

/// Starts `helpers` threads, or as many as can be started.
void team_start(copy_team *, int helpers);

/// Does the job in the calling thread and, if that is worth waking them, the
/// team's. One caller at a time.
void team_do(copy_team *, team_part *, void *job, size_t items, size_t bytes);

#endif
