//===-- services/blas/device/call.h - Calls of BLAS, on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_CALL_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_CALL_H

#include "services/blas/request.h"
#include "services/common/element_counts.h"
#include <stddef.h>

/// A program may define its own function of the same name.
#define WEAK __attribute__((weak))

enum { BLAS_ARRAYS = 8 }; ///< the most arrays of a function

/// A call whose request is being built. An array that the host cannot reach,
/// because it is on the thread's stack or in the block's memory, is copied to
/// the heap for the time of the call.
typedef struct {
  struct {
    blas_header header;
    uint64_t words[BLAS_WORDS];
  } request;
  uint64_t bytes; ///< of all arrays; an element read n times counts n times
  uint32_t copies;
  struct {
    void *original, *copy;
    uint64_t size;
    int written;
  } arrays[BLAS_ARRAYS];
  uint64_t result[BLAS_RESULTS];
} blas_call;

void blas_begin(blas_call *, uint32_t function);
void blas_put(blas_call *, uint64_t word);
/// `count` numbers of `size` bytes, 4 or 8, each in a word of its own.
void blas_put_numbers(blas_call *, const void *numbers, uint32_t count,
                      uint32_t size);
/// An array of which the function uses `size` bytes; `written`: it writes them.
void blas_put_array(blas_call *, void *array, uint64_t size, int written);
/// A vector of which the function uses each `increment`-th element, of `size`
/// bytes.
void blas_put_vector(blas_call *, void *vector, int64_t count,
                     int64_t increment, uint32_t size, int written);
/// Sends the request and waits for the answer. If the host cannot do the call,
/// ends the program with a message.
void blas_end(blas_call *);
/// As blas_end(), for a function that takes only microseconds if its arrays are
/// small.
void blas_end_soon(blas_call *);
/// The call BLAS_LIMIT (request.h): sends the measured times in nanoseconds, or
/// zeros, and sets the other arguments to the answer. False if the service does
/// not know the call.
int blas_ask_limit(uint64_t call_time, uint64_t work_time, uint32_t *limit,
                   int *is_wanted, uint32_t *most_crowd);
/// cblas_ddot(), always done by the host.
double blas_ddot_by_host(int n, const double *x, int incx, const double *y,
                         int incy);
/// Calls cblas_xerbla() for a wrong argument. `place`: its place in the
/// function, from 1; `place_by_rows`: the place that the reference
/// implementation reports if `order` is BY_ROWS.
void blas_wrong(int order, int place, int place_by_rows, const char *function);

/// Copies the first `size` bytes of the result.
void blas_take(const blas_call *, void *result, uint64_t size);

#endif
