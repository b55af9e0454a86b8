//===-- offload/blas/entry/blas.c - The functions of BLAS that we have ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated: tables/blas_entries.py. A function and its parameters are declared as
// programs call them.
//===----------------------------------------------------------------------===//
#include "offload/blas/run/call.h"
#include "offload/blas/run/next.h"

#define EXPORT __attribute__((visibility("default")))

static inline void *next_function(void **slot, const char *name,
                                  const void *caller) {
  void *function = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  return function ? function : find_next(slot, name, caller);
}
#define NEXT(SLOT, NAME)                                                       \
  next_function(&(SLOT), NAME, __builtin_return_address(0))

/// Is the number, of one part or two, not 0? NaN is not.
static int number_is_set(const void *number, int parts, size_t size) {
  for (int i = 0; i < parts; ++i)
    if (size == sizeof(float) ? ((const float *)number)[i] != 0
                              : ((const double *)number)[i] != 0)
      return 1;
  return 0;
}

#include "blas_entries.inc"
