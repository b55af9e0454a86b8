//===-- services/common/cblas_values.h - Letters of BLAS --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that CBLAS has for orders of matrices and for letters.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_COMMON_CBLAS_VALUES_H
#define GPUEXEC_SERVICES_COMMON_CBLAS_VALUES_H

enum {
  BY_ROWS = 101,
  BY_COLUMNS = 102,
  NO_TRANS = 111,
  TRANS = 112,
  CONJ_TRANS = 113,
  UPPER = 121,
  LOWER = 122,
  NON_UNIT = 131,
  UNIT = 132,
  LEFT = 141,
  RIGHT = 142,
};

#endif
