//===-- services/common/element_counts.h - Sizes of arrays ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elements of memory an array takes, from its shape: the device uses
// it to copy an array, the host to check that the program has that much.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_ELEMENT_COUNTS_H
#define GPUEXEC_SERVICES_COMMON_ELEMENT_COUNTS_H

#include "services/common/cblas_values.h"
#include <stdint.h>

/// Elements that a vector takes of which each `increment`-th one is used.
static inline uint64_t vector_elements(int64_t count, int64_t increment) {
  const uint64_t step = (uint64_t)(increment < 0 ? -increment : increment);
  return count > 0 ? 1 + (uint64_t)(count - 1) * step : 0;
}

/// Elements that `lines` rows or columns take of which `used` are used each.
static inline uint64_t band_elements(int64_t lines, int64_t used,
                                     int64_t step) {
  return lines > 0 && used > 0
             ? (uint64_t)(lines - 1) * (uint64_t)step + (uint64_t)used
             : 0;
}

/// Elements that a matrix takes. `order`: BY_ROWS or BY_COLUMNS.
static inline uint64_t matrix_elements(int order, int64_t rows, int64_t columns,
                                       int64_t step) {
  return order == BY_ROWS ? band_elements(rows, columns, step)
                          : band_elements(columns, rows, step);
}

/// Elements that a packed triangle takes.
static inline uint64_t triangle_elements(int64_t n) {
  return (uint64_t)n * ((uint64_t)n + 1) / 2;
}

#endif
