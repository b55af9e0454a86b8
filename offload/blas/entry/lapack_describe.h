//===-- offload/blas/entry/lapack_describe.h - Describes LAPACK's calls -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions by which lapack_calls.c and lapack_spectra.c describe a call.
// They add arguments in the order of cusolver.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_ENTRY_LAPACK_DESCRIBE_H
#define GPUEXEC_OFFLOAD_BLAS_ENTRY_LAPACK_DESCRIBE_H

#include "offload/blas/entry/lapack_calls.h"
#include "offload/blas/policy/names.h"

/// What a function does with an array.
enum { READS = 1, WRITES = 2, DESTROYS = 4 };

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int is_size(int64_t n) { return n >= 1 && n <= INT32_MAX; }
static inline int is_matrix(int64_t rows, int64_t columns, int64_t ld) {
  return is_size(rows) && is_size(columns) && ld >= rows && ld <= INT32_MAX;
}
static inline int is_triangle(char uplo) { return uplo == 'L' || uplo == 'U'; }

static inline int is_complex(const lapack_parameters *p) {
  return p->type == 'c' || p->type == 'z';
}
static inline size_t real_size(const lapack_parameters *p) {
  return p->type == 's' || p->type == 'c' ? 4 : 8;
}
static inline size_t element_size(const lapack_parameters *p) {
  return real_size(p) << is_complex(p);
}

/// Starts a call; m, n, k as for solver_work(). False: it is too small for the
/// device.
int start(lapack_use *, const lapack_parameters *, solver_kind, int is_variant,
          int64_t m, int64_t n, int64_t k);
/// Add an integer; an array of `count` elements; a matrix and its leading
/// dimension. `how`: READS, WRITES and DESTROYS.
void integer(lapack_use *, int64_t value);
void vector(lapack_use *, void *address, size_t element, int64_t count,
            int how);
operand *matrix(lapack_use *, const lapack_parameters *, void *address,
                int64_t ld, int64_t rows, int64_t columns, int how);
/// Add an array that the function does not use; one with its leading dimension.
void no_array(lapack_use *);
void no_matrix(lapack_use *, int64_t rows);
/// Has the device do the call. Returns true if it has; the sizes of workspaces
/// and `info` are then as LAPACK leaves them.
int finish(lapack_use *, const lapack_parameters *);
/// Sets an element of an array of the program's integers, of 32 or 64 bits.
void set_integer(const lapack_parameters *, void *at, int64_t index,
                 int64_t value);

#endif
