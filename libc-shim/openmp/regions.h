//===-- libc-shim/openmp/regions.h - Times of parallel regions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only where the loader wants them: __gpuexec_omp_settings.timed. Not inlined,
// so that regions without times have the same code as ever.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGIONS_H
#define GPUEXEC_LIBC_REGIONS_H

#include "libc-shim/openmp/team.h"

#define SELDOM_CALLED __attribute__((noinline, cold))

// In the thread of main(), outside all regions:

/// main() is about to begin; does the loader want the times?
SELDOM_CALLED bool __gpuexec_regions_begin_main(void);
/// The program is about to end, without a region.
SELDOM_CALLED void __gpuexec_regions_end_main(void);
/// A region begins that a team of `size` threads executes.
SELDOM_CALLED void __gpuexec_regions_begin(const source_place *place,
                                           omp_function *run, uint32_t size);
/// It has ended.
SELDOM_CALLED void __gpuexec_regions_end(void);

// In each thread of the region's team:

/// Begins to count what the thread does. The time.
SELDOM_CALLED uint64_t __gpuexec_regions_enter(void);
/// The thread has done its part since `time`.
SELDOM_CALLED void __gpuexec_regions_leave(uint64_t time);

#endif
