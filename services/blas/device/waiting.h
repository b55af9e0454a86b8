//===-- services/blas/device/waiting.h - How many calls wait for the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_WAITING_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_WAITING_H

#include <stdint.h>

extern uint32_t blas_waiting;

static inline void blas_begin_waiting(void) {
  __scoped_atomic_fetch_add(&blas_waiting, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}
static inline void blas_end_waiting(void) {
  __scoped_atomic_fetch_sub(&blas_waiting, 1, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}
/// The number of calls, of all threads, that the host has not yet answered.
static inline uint32_t blas_waiting_calls(void) {
  return __scoped_atomic_load_n(&blas_waiting, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
}

#endif
