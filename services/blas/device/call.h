//===-- services/blas/device/call.h - Calls of BLAS, on the device -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_CALL_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_CALL_H

#include "services/blas/device/times.h"
#include "services/blas/request.h"
#include "services/common/element_counts.h"
#include "services/common/own_memory.h"
#include <stddef.h>

/// A program may define its own function of the same name.
#define WEAK __attribute__((weak))

enum { BLAS_ARRAYS = 8 }; ///< the most arrays of a function

/// A call whose request is being built. An array that the host cannot reach,
/// because it is on the thread's stack or in the block's memory, is copied to
/// the heap for the time of the call.
typedef struct {
  union {
    struct {
      blas_header header;
      uint64_t words[BLAS_WORDS];
    };
    uint64_t all[1 + BLAS_WORDS]; ///< what is sent
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

// What builds a request is inlined into each function of BLAS: there the
// places of the words are constants. A thread of a GPU has built a request in
// less time than it calls functions and copies bytes.

static inline void blas_begin(blas_call *call, uint32_t function) {
  BLAS_TIME(BLAS_BEGUN);
  call->request.header = (blas_header){function, 0};
  call->bytes = 0;
  call->copies = 0;
}

static inline void blas_put(blas_call *call, uint64_t word) {
  call->request.words[call->request.header.count++] = word;
}

/// `count` numbers of `size` bytes, 4 or 8, each in a word of its own. They are
/// aligned to their size.
static inline void blas_put_numbers(blas_call *call, const void *numbers,
                                    uint32_t count, uint32_t size) {
  typedef uint64_t __attribute__((may_alias)) whole;
  typedef uint32_t __attribute__((may_alias)) half;
  for (uint32_t i = 0; i < count; ++i)
    blas_put(call, size == sizeof(whole) ? ((const whole *)numbers)[i]
                                         : ((const half *)numbers)[i]);
}

/// Copies an array of this thread's or block's memory to the heap for the time
/// of the call; returns the copy.
void *blas_copy_array(blas_call *, void *array, uint64_t size, int written);

/// An array of which the function uses `size` bytes; `written`: it writes them.
static inline void blas_put_array(blas_call *call, void *array, uint64_t size,
                                  int written) {
  call->bytes += size;
  if (size && is_own_memory(array))
    array = blas_copy_array(call, array, size, written);
  blas_put(call, (uint64_t)array);
}

/// A vector of which the function uses each `increment`-th element, of `size`
/// bytes.
static inline void blas_put_vector(blas_call *call, void *vector, int64_t count,
                                   int64_t increment, uint32_t size,
                                   int written) {
  // The function reads the one element `count` times.
  if (!increment && count > 1)
    call->bytes += (uint64_t)(count - 1) * size;
  blas_put_array(call, vector, vector_elements(count, increment) * size,
                 written);
}

/// Sends the request and waits for the answer. If the host cannot do the call,
/// ends the program with a message.
void blas_end(blas_call *);
/// As blas_end(), for a function that takes only microseconds if its arrays are
/// small. `has_result`: it has a result, of one word or two.
void blas_end_soon(blas_call *, int has_result);
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
static inline void blas_take(const blas_call *call, void *result,
                             uint64_t size) {
  __builtin_memcpy(result, call->result, size);
}

#endif
