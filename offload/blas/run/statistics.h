//===-- offload/blas/run/statistics.h - Statistics of a run -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_STATISTICS_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_STATISTICS_H

#include "offload/blas/operands/operands.h"
#include "offload/blas/policy/names.h"

typedef struct {
  uint64_t cpu_calls, gpu_calls;
  double cpu_seconds, gpu_seconds;
  double expected_gpu; ///< what the model had expected of the calls on the GPU
  double
      expected_cpu; ///< what the model expects the processor would have needed
  uint64_t copied;  ///< bytes to and from the device
  uint64_t not_copied; ///< bytes that the device had already
} function_statistics;

typedef struct {
  function_statistics functions[MOST_FUNCTIONS];
  uint64_t busy; ///< calls left to the processor: another thread had the device
  uint64_t no_memory; ///< calls left to the processor: no memory on the device
  char state[256];    ///< what became of the device, and why
  char device[128];   ///< its name
  char library[512];  ///< the program's BLAS
  char cache[128]; ///< why operands do not stay on the device; empty: they do
  double seconds;  ///< of the run
  double saved;    ///< seconds, against what the model expects of the processor
  int child;       ///< true: of a child after fork()
} offload_statistics;

/// Writes the statistics to `file` as JSON, or as a table to standard error if
/// that is "-". %p in the file's name stands for the process's number. 0 or
/// errno.
int write_statistics(const offload_statistics *, const char *file);

#endif
