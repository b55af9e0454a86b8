//===-- services/common/element_counts.h - Sizes of arrays ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of elements that an array spans in memory, computed from its
// shape. The device uses it to copy an array, the host to check that the whole
// range belongs to the program.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_ELEMENT_COUNTS_H
#define GPUEXEC_SERVICES_COMMON_ELEMENT_COUNTS_H

#include "services/common/cblas_values.h"
#include <stdint.h>

/// Elements that a vector of `count` elements spans, which are `increment`
/// elements apart.
static inline uint64_t vector_elements(int64_t count, int64_t increment) {
  const uint64_t step = (uint64_t)(increment < 0 ? -increment : increment);
  return count > 0 ? 1 + (uint64_t)(count - 1) * step : 0;
}

/// Elements that `lines` rows or columns span, which begin `step` elements
/// apart and of which the first `used` elements are used.
static inline uint64_t band_elements(int64_t lines, int64_t used,
                                     int64_t step) {
  return lines > 0 && used > 0
             ? (uint64_t)(lines - 1) * (uint64_t)step + (uint64_t)used
             : 0;
}

/// Elements that a matrix spans. `order`: BY_ROWS or BY_COLUMNS; `step`: its
/// leading dimension.
static inline uint64_t matrix_elements(int order, int64_t rows, int64_t columns,
                                       int64_t step) {
  return order == BY_ROWS ? band_elements(rows, columns, step)
                          : band_elements(columns, rows, step);
}

/// Elements of a packed triangle of `n` rows.
static inline uint64_t triangle_elements(int64_t n) {
  return (uint64_t)n * ((uint64_t)n + 1) / 2;
}

#endif
