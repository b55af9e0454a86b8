//===-- offload/blas/device/solver.c - See solver.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/device/solver.h"
#include "offload/blas/device/destructors.h"
#include "offload/blas/policy/names.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void solver_open(offload_device *d, const offload_settings *settings) {
  // Tests with a stand-in for cuBLAS alone must not use NVIDIA's cuSOLVER.
  if (settings->libcublas && !settings->libcusolver)
    return;
  // Has the tests' stand-in for cuSOLVER call the LAPACK that it is linked
  // with, not our functions before it.
  if (settings->libcusolver)
    dlopen(settings->libcusolver, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  const char *error = open_cusolver(&d->solver, settings->libcusolver);
  if (error && !settings->libcusolver) // the folder of NVIDIA's packages
    error = open_cusolver(&d->solver, "/usr/local/cuda/lib64/libcusolver.so");
  if (error)
    return;
  if (d->solver.create(&d->solver_handle) ||
      d->solver.set_stream(d->solver_handle, d->stream))
    close_cusolver(&d->solver);
}

static int failed(offload_device *d, unsigned function, int status) {
  if (status == 0)
    return DEVICE_OK;
  if (status == CUBLAS_CANNOT)
    return DEVICE_CANNOT_DO;
  snprintf(d->error, sizeof d->error, "%s: cuSOLVER's status %d",
           offload_function_name(function), status);
  return status == CUSOLVER_ALLOC_FAILED ? DEVICE_NO_MEMORY : DEVICE_FAILED;
}

/// The scratch memory begins with `info`, by which cuSOLVER says what is wrong
/// with the matrix.
enum { INFO_BYTES = 256 };

static int reserve(offload_device *d, size_t size) {
  if (size <= d->scratch_size)
    return DEVICE_OK;
  if (d->scratch_size)
    device_free(d, d->scratch);
  d->scratch_size = 0;
  const int error = device_allocate(d, size, &d->scratch);
  if (!error)
    d->scratch_size = size;
  return error;
}

typedef struct {
  offload_device *device;
  unsigned function;
  char type;
  size_t real, element; ///< sizes
} solving;

/// Runs one of cuSOLVER's functions: gets its workspace, computes, and reads
/// `info`. `reals`: how many real numbers of workspace it wants besides.
static int solve(const solving *s, const char *name, int reals,
                 const blas_argument *a) {
  offload_device *d = s->device;
  cusolver_memory memory = {0};
  int error = failed(d, s->function,
                     cusolver_workspace(&d->solver, d->solver_handle, name,
                                        s->type, a, &memory.elements));
  if (error || memory.elements < 0)
    return error ? error : DEVICE_CANNOT_DO;
  const size_t before =
      INFO_BYTES + ((size_t)reals * s->real + 255) / 256 * 256;
  error = reserve(d, before + (size_t)memory.elements * s->element + 256);
  if (error)
    return error;
  memory.info = d->scratch;
  memory.rwork = d->scratch + INFO_BYTES;
  memory.work = d->scratch + before;
  error = failed(
      d, s->function,
      cusolver_call(&d->solver, d->solver_handle, name, s->type, a, &memory));
  int info = 0;
  if (!error)
    error = device_read(d, &info, memory.info, sizeof info);
  return error ? error : info ? DEVICE_CANNOT_DO : DEVICE_OK;
}

static int solve_gesv(const solving *s, const blas_argument *a) {
  const blas_argument factors[] = {a[0], a[0], a[2], a[3], a[4]};
  const blas_argument systems[] = {
      {.integer = 'N'}, a[0], a[1], a[2], a[3], a[4], a[5], a[6]};
  const int error = solve(s, "getrf", 0, factors);
  return error ? error : solve(s, "getrs", 0, systems);
}

static int solve_posv(const solving *s, const blas_argument *a) {
  const blas_argument factors[] = {a[0], a[1], a[3], a[4]};
  const int error = solve(s, "potrf", 0, factors);
  return error ? error : solve(s, "potrs", 0, a);
}

/// Are the results finite? For matrices with NaN or infinite numbers LAPACK
/// says that its iterations do not end; cuSOLVER may say nothing and return
/// such numbers.
static int are_finite(const solving *s, blas_argument values, int count) {
  char *numbers = malloc((size_t)count * s->real);
  if (!numbers)
    return DEVICE_CANNOT_DO;
  int error =
      device_read(s->device, numbers, values.array, (size_t)count * s->real);
  for (int i = 0; !error && i < count; ++i) {
    const double value = s->real == sizeof(float)
                             ? (double)((const float *)numbers)[i]
                             : ((const double *)numbers)[i];
    if (!isfinite(value))
      error = DEVICE_CANNOT_DO;
  }
  free(numbers);
  return error;
}

static int solve_eigen(const solving *s, const blas_argument *a) {
  const int error = solve(s, "syevd", 0, a);
  return error ? error : are_finite(s, a[5], a[2].integer);
}

static int transpose(const solving *s, int rows, int columns, uint64_t from,
                     int ld_from, uint64_t to, int ld_to) {
  offload_device *d = s->device;
  const int status = cublas_transpose(&d->blas, d->handle, s->type, rows,
                                      columns, from, ld_from, to, ld_to);
  if (status == CUBLAS_ALLOC_FAILED)
    return DEVICE_NO_MEMORY;
  return failed(d, s->function, status);
}

/// Bytes of a matrix without gaps between its columns.
static uint64_t size_of_matrix(const solving *s, int rows, int columns) {
  return ((uint64_t)rows * (uint64_t)columns * s->element + 255) / 256 * 256;
}

/// Of a matrix with more columns than rows, which cuSOLVER does not take: its
/// conjugate transpose has the same values, and the vectors of A = U S VT are
/// those of A' = VT' S U'.
static int solve_wide(const solving *s, const blas_argument *a) {
  const int m = a[2].integer, n = a[3].integer;
  const int has_u = a[0].integer != 'N', has_vt = a[1].integer != 'N';
  const int rows_of_vt = !has_vt ? 0 : a[1].integer == 'A' ? n : m;
  uint64_t tall;
  int error = device_allocate(s->device,
                              size_of_matrix(s, n, m) +
                                  size_of_matrix(s, n, rows_of_vt) +
                                  size_of_matrix(s, m, m),
                              &tall);
  if (error)
    return error;
  const uint64_t left = tall + size_of_matrix(s, n, m);
  const uint64_t right = left + size_of_matrix(s, n, rows_of_vt);
  const blas_argument arguments[] = {a[1],
                                     a[0],
                                     a[3],
                                     a[2],
                                     {.array = tall},
                                     a[3],
                                     a[6],
                                     {.array = left},
                                     a[3],
                                     {.array = right},
                                     a[2],
                                     a[11]};
  error = transpose(s, m, n, a[4].array, a[5].integer, tall, n);
  if (!error)
    error = solve(s, "gesvd", m, arguments);
  if (!error && has_vt)
    error = transpose(s, n, rows_of_vt, left, n, a[9].array, a[10].integer);
  if (!error && has_u)
    error = transpose(s, m, m, right, m, a[7].array, a[8].integer);
  device_free(s->device, tall);
  return error;
}

static int solve_singular(const solving *s, const blas_argument *a) {
  const int m = a[2].integer, n = a[3].integer;
  const int error = m < n ? solve_wide(s, a) : solve(s, "gesvd", n, a);
  return error ? error : are_finite(s, a[6], m < n ? m : n);
}

static int call(offload_device *d, unsigned function,
                const blas_argument *arguments) {
  const char type = offload_type_of(function);
  const int is_complex = type == 'c' || type == 'z';
  solving s = {.device = d, .function = function, .type = type};
  s.real = type == 's' || type == 'c' ? 4 : 8;
  s.element = s.real << is_complex;
  switch (offload_kind_of(function)) {
  case GETRF:
    return solve(&s, "getrf", 0, arguments);
  case GETRS:
    return solve(&s, "getrs", 0, arguments);
  case GESV:
    return solve_gesv(&s, arguments);
  case POTRF:
    return solve(&s, "potrf", 0, arguments);
  case POTRS:
    return solve(&s, "potrs", 0, arguments);
  case POSV:
    return solve_posv(&s, arguments);
  case GEQRF:
    return solve(&s, "geqrf", 0, arguments);
  case ORGQR:
    return solve(&s, "orgqr", 0, arguments);
  case ORMQR:
    return solve(&s, "ormqr", 0, arguments);
  case SYEV:
  case SYEVD:
  case SYEVR:
    return solve_eigen(&s, arguments);
  case GESVD:
  case GESDD:
    return solve_singular(&s, arguments);
  case SOLVERS:
    break;
  }
  return DEVICE_CANNOT_DO;
}

int solver_call(offload_device *d, unsigned function,
                const blas_argument *arguments) {
  if (!d->solver.library)
    return DEVICE_CANNOT_DO;
  const int dropped = drop_destructors(1);
  const int error = call(d, function, arguments);
  drop_destructors(dropped);
  return error;
}
