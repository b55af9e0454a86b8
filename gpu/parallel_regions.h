// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/parallel_regions.h - Times of OpenMP's regions --------*- C -*-===//
 * For --stats and --trace a program with OpenMP notes when its parallel regions
 * begin and end. The loader says where, in a variable of the image; zeros say
 * that nobody wants to know. C and C++, on the host and on the device.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_PARALLEL_REGIONS_H
#define GPUEXEC_GPU_PARALLEL_REGIONS_H

#include <stdint.h>

/* A gpuexec_regions. */
#define GPUEXEC_REGIONS "__gpuexec_regions"
typedef struct {
  uint64_t log;   /* address of a gpuexec_region_log, which the host sees */
  uint64_t sums;  /* of a gpuexec_region_memory, of the device's own; zeroed */
  uint64_t spans; /* executions of regions that the log has room for */
} gpuexec_regions;

/* What is known of a region. Times are ticks of the device's clock
   (GPUEXEC_CLOCK_FREQUENCY; nanoseconds on NVIDIA). */
typedef struct {
  uint64_t executions;
  uint64_t total, least, most; /* time from its begin to its end */
  uint64_t threads;            /* of the largest team */
  uint64_t offered;            /* sum of each execution's time times threads */
  uint64_t busy;               /* sum of the threads' times in the region */
} gpuexec_region_sums;

enum {
  GPUEXEC_REGION_ROWS = 256, /* regions that are told apart */
  GPUEXEC_REGION_NAME = 128, /* bytes of a name, with the null byte */
};

typedef struct {
  char name[GPUEXEC_REGION_NAME]; /* "FUNCTION at FILE:LINE" */
  gpuexec_region_sums sums;
  uint64_t unused;
} gpuexec_region_row;

typedef struct {
  uint64_t begin, end; /* ticks */
  uint32_t row, threads;
} gpuexec_region_span;

/* Written by the thread of main() alone, which reads nothing of it. */
typedef struct {
  uint64_t began, ended; /* main(), in ticks; 0: not yet */
  uint64_t grid_threads; /* that a team can have */
  uint64_t lost;         /* executions of regions without a row */
  uint64_t spans;        /* executions; those behind the room have no span */
  uint64_t unused[3];
  gpuexec_region_row rows[GPUEXEC_REGION_ROWS]; /* in any order */
  gpuexec_region_span first_spans[];
} gpuexec_region_log;

/* What the device adds up. Many waves add to `busy` at the same time. */
enum { GPUEXEC_REGION_BUSY_SUMS = 16 };
typedef struct {
  struct {
    uint64_t region; /* what its threads call; 0: no region yet */
    gpuexec_region_sums sums;
  } rows[GPUEXEC_REGION_ROWS];
  struct {
    uint64_t sum; /* of the region that the grid executes */
    uint64_t unused[15];
  } busy[GPUEXEC_REGION_BUSY_SUMS];
  uint64_t lost, spans; /* as in the log */
} gpuexec_region_memory;

#endif /* GPUEXEC_GPU_PARALLEL_REGIONS_H */
