//===-- libc-shim/openmp/schedules.h - clang's numbers of schedules -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_SCHEDULES_H
#define GPUEXEC_LIBC_SCHEDULES_H

#include <stdbool.h>
#include <stdint.h>

/// clang adds SCHEDULE_ORDERED to the schedule of a loop with an ordered
/// clause.
enum {
  SCHEDULE_STATIC_CHUNKED = 33,
  SCHEDULE_STATIC = 34,
  SCHEDULE_DYNAMIC = 35,
  SCHEDULE_GUIDED = 36,
  SCHEDULE_RUNTIME = 37,
  SCHEDULE_AUTO = 38,
  SCHEDULE_BALANCED_CHUNKED = 45,
  SCHEDULE_GUIDED_SIMD = 46,
  SCHEDULE_RUNTIME_SIMD = 47,
  SCHEDULE_ORDERED = 32,
  SCHEDULE_FIRST_ORDERED = 65,
  SCHEDULE_LAST_ORDERED = 72,
  SCHEDULE_DISTRIBUTE_CHUNKED = 91,
  SCHEDULE_MODIFIERS = 3 << 29, ///< monotonic, nonmonotonic
};

static inline bool is_chunked(int32_t schedule) {
  schedule &= ~SCHEDULE_MODIFIERS;
  return schedule == SCHEDULE_STATIC_CHUNKED ||
         schedule == SCHEDULE_BALANCED_CHUNKED ||
         schedule == SCHEDULE_DISTRIBUTE_CHUNKED;
}

#endif
