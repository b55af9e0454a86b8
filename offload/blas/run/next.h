//===-- offload/blas/run/next.h - The program's own BLAS --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_NEXT_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_NEXT_H

/// Finds the function of this name that the caller would use without this
/// library, and stores it in `slot`. Looks for it behind this library, then in
/// the libraries that the caller's library needs (Python loads each module with
/// its own scope), then in all loaded libraries. Ends the process, as the
/// dynamic linker does, if there is none.
void *find_next(void **slot, const char *name, const void *caller);

/// The library in which the first function was found; empty before that.
const char *next_library(void);

#define EXPORT __attribute__((visibility("default")))

/// For a function of this library: returns the program's own function.
static inline void *next_function(void **slot, const char *name,
                                  const void *caller) {
  void *function = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  return function ? function : find_next(slot, name, caller);
}
#define NEXT(SLOT, NAME)                                                       \
  next_function(&(SLOT), NAME, __builtin_return_address(0))

#endif
