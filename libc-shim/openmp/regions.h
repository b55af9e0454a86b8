//===-- libc-shim/openmp/regions.h - Times of parallel regions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Called only if the loader wants the times: __gpuexec_omp_settings.timed. Not
// inlined, so that this does not change the code of regions without times.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGIONS_H
#define GPUEXEC_LIBC_REGIONS_H

#include "libc-shim/openmp/team.h"

#define SELDOM_CALLED __attribute__((noinline, cold))

// The thread of main() calls these outside all regions:

/// Called before main(). Does the loader want the times?
SELDOM_CALLED bool __gpuexec_regions_begin_main(void);
/// Called before the program ends outside a region.
SELDOM_CALLED void __gpuexec_regions_end_main(void);
/// Called before a region that a team of `size` threads executes.
SELDOM_CALLED void __gpuexec_regions_begin(const source_place *place,
                                           omp_function *run, uint32_t size);
/// Called after the region.
SELDOM_CALLED void __gpuexec_regions_end(void);

// Each thread of the region's team calls these:

/// Called before the thread executes the region. Returns the time, in ticks of
/// the device's clock.
SELDOM_CALLED uint64_t __gpuexec_regions_enter(void);
/// Called when the thread has executed the region, which it began at `time`.
SELDOM_CALLED void __gpuexec_regions_leave(uint64_t time);

#endif
