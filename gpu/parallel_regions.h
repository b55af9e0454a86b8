// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/parallel_regions.h - Times of OpenMP's regions --------*- C -*-===//
 * For --stats and --trace an OpenMP program logs when its parallel regions
 * begin and end. The loader stores the addresses of the log in a variable of
 * the image; zeros there mean that nothing is logged. C and C++, on the host
 * and on the device.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_PARALLEL_REGIONS_H
#define GPUEXEC_GPU_PARALLEL_REGIONS_H

#include <stdint.h>

/* The image's variable, a gpuexec_regions. */
#define GPUEXEC_REGIONS "__gpuexec_regions"
typedef struct {
  uint64_t log;   /* address of a gpuexec_region_log that the host sees, too */
  uint64_t sums;  /* address of a zeroed gpuexec_region_memory on the device */
  uint64_t spans; /* length of the log's array first_spans */
} gpuexec_regions;

/* Statistics of one region. Times are ticks of the device's clock
   (GPUEXEC_CLOCK_FREQUENCY; nanoseconds on NVIDIA). */
typedef struct {
  uint64_t executions;
  uint64_t total, least, most; /* time from begin to end, of all executions */
  uint64_t threads;            /* of the largest team */
  uint64_t offered;            /* sum over executions of time * threads */
  uint64_t busy;               /* sum of the threads' times in the region */
} gpuexec_region_sums;

enum {
  GPUEXEC_REGION_ROWS = 256, /* most regions with statistics of their own */
  GPUEXEC_REGION_NAME = 128, /* bytes of a name, with the null byte */
};

typedef struct {
  char name[GPUEXEC_REGION_NAME]; /* "FUNCTION at FILE:LINE" */
  gpuexec_region_sums sums;
  uint64_t unused;
} gpuexec_region_row;

/* One execution of the region of that row. */
typedef struct {
  uint64_t begin, end; /* ticks */
  uint32_t row, threads;
} gpuexec_region_span;

/* The log for the host. The thread of main() alone writes it, and never reads
   it. */
typedef struct {
  uint64_t began, ended; /* ticks when main() began and ended; 0: not yet */
  uint64_t grid_threads; /* most threads of a team */
  uint64_t lost;         /* executions of regions without a row */
  uint64_t spans;        /* executions, also those that first_spans lacks */
  uint64_t unused[3];
  gpuexec_region_row rows[GPUEXEC_REGION_ROWS]; /* in any order */
  gpuexec_region_span first_spans[];
} gpuexec_region_log;

/* Sums that the device keeps for itself. Many waves add to `busy` at once. */
enum { GPUEXEC_REGION_BUSY_SUMS = 16 };
typedef struct {
  struct {
    uint64_t region; /* address of the region's function; 0: a free row */
    gpuexec_region_sums sums;
  } rows[GPUEXEC_REGION_ROWS];
  struct {
    uint64_t sum; /* threads' times in the region that the grid executes now */
    uint64_t unused[15];
  } busy[GPUEXEC_REGION_BUSY_SUMS];
  uint64_t lost, spans; /* as in the log */
} gpuexec_region_memory;

#endif /* GPUEXEC_GPU_PARALLEL_REGIONS_H */
