//===-- services/blas/device/call.h - Calls of BLAS, on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_CALL_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_CALL_H

#include "services/blas/request.h"
#include "services/common/element_counts.h"
#include <stddef.h>

/// A program may have its own function of that name.
#define WEAK __attribute__((weak))

enum { BLAS_ARRAYS = 8 }; ///< of a function, at most

/// A call that is being put together. An array that the host cannot reach,
/// because it is on the thread's stack or in the block's memory, is copied to
/// the heap for the time of the call.
typedef struct {
  struct {
    blas_header header;
    uint64_t words[BLAS_WORDS];
  } request;
  uint64_t bytes; ///< of all arrays, or that are read of them
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
/// Has the host do it. Ends the program with a message when it cannot.
void blas_end(blas_call *);
/// The same for a function that is done soon where its arrays are small.
void blas_end_soon(blas_call *);
/// Tells the service what was measured, or zeros, and asks for the limit
/// (BLAS_LIMIT in request.h). False where it knows nothing of limits.
int blas_ask_limit(uint64_t call_time, uint64_t work_time, uint32_t *limit,
                   int *is_wanted, uint32_t *most_crowd);
/// cblas_ddot() by the host in any case.
double blas_ddot_by_host(int n, const double *x, int incx, const double *y,
                         int incy);
/// Calls cblas_xerbla for an argument that is wrong: its place in the function,
/// and the one that the reference names where the order is 101, by rows.
void blas_wrong(int order, int place, int place_by_rows, const char *function);

/// Copies the result.
void blas_take(const blas_call *, void *result, uint64_t size);

#endif
