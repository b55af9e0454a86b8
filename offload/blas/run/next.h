//===-- offload/blas/run/next.h - The program's own BLAS --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_NEXT_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_NEXT_H

/// The function of this name that the caller would have without us; kept in
/// `slot`. It is looked for behind this library, then in the libraries that the
/// caller's library names (Python's modules are loaded for themselves), then in
/// all that are loaded. Ends the process, as the dynamic linker does, where
/// there is none.
void *find_next(void **slot, const char *name, const void *caller);

/// The library in which the first function was found; empty: none was looked up
/// yet.
const char *next_library(void);

#define EXPORT __attribute__((visibility("default")))

/// For a function of ours that stands before the program's own: returns that
/// one.
static inline void *next_function(void **slot, const char *name,
                                  const void *caller) {
  void *function = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  return function ? function : find_next(slot, name, caller);
}
#define NEXT(SLOT, NAME)                                                       \
  next_function(&(SLOT), NAME, __builtin_return_address(0))

#endif
