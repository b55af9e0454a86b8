//===-- blas/intercept/solver.c - See solver.h ----------------------------===//
#include "blas/intercept/solver.h"
#include "blas/intercept/names.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void solver_open(blas_device *d, const blas_settings *settings) {
  // A stand-in for cuBLAS alone does not bring NVIDIA's cuSOLVER with it.
  if (settings->libcublas && !settings->libcusolver)
    return;
  // The tests' stand-in calls LAPACK: its own, not the program's through us.
  if (settings->libcusolver)
    dlopen(settings->libcusolver, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  const char *error = open_cusolver(&d->solver, settings->libcusolver);
  if (error && !settings->libcusolver) // where NVIDIA's packages put it
    error = open_cusolver(&d->solver, "/usr/local/cuda/lib64/libcusolver.so");
  if (error)
    return;
  if (d->solver.create(&d->solver_handle) ||
      d->solver.set_stream(d->solver_handle, d->stream))
    close_cusolver(&d->solver);
}

static int failed(blas_device *d, unsigned function, int status) {
  if (status == 0)
    return DEVICE_OK;
  if (status == CUBLAS_CANNOT)
    return DEVICE_CANNOT_DO;
  snprintf(d->error, sizeof d->error, "%s: cuSOLVER's status %d",
           blas_function_name(function), status);
  return status == CUSOLVER_ALLOC_FAILED ? DEVICE_NO_MEMORY : DEVICE_FAILED;
}

/// Memory for pivots, the result's number and a workspace, in this order.
static int reserve(blas_device *d, size_t size) {
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
  blas_device *device;
  unsigned function;
  int type, element;
  const blas_argument *arguments;
  int *pivots, *info; ///< on the device
  size_t before;      ///< bytes of the scratch that these take
} solving;

static int integer(const solving *s, int place) {
  return s->arguments[place].integer;
}

/// Sees to the scratch; `elements` of workspace. The workspace's address.
static int prepare(solving *s, int elements, void **work) {
  const int m = integer(s, SOLVER_M), n = integer(s, SOLVER_N);
  const size_t count = (size_t)(m < n ? m : n);
  s->before = (count + 1) * sizeof(int);
  s->before = (s->before + 255) & ~(size_t)255;
  const int error = reserve(
      s->device, s->before + (size_t)elements * (size_t)s->element + 256);
  if (error)
    return error;
  s->pivots = (int *)(uintptr_t)s->device->scratch;
  s->info = s->pivots + count;
  *work = (void *)(uintptr_t)(s->device->scratch + s->before);
  return DEVICE_OK;
}

/// Waits. What cuSOLVER says of the matrix.
static int look_at_result(const solving *s) {
  int info = 0;
  const int error =
      device_read(s->device, &info, (uintptr_t)s->info, sizeof info);
  return error ? error : info ? DEVICE_CANNOT_DO : DEVICE_OK;
}

/// One of cuSOLVER's functions, from its workspace to what it says of the
/// matrix. `pivots`: the place of that argument; 0: it has none.
static int solve(solving *s, const char *name, blas_argument *a,
                 unsigned pivots) {
  blas_device *d = s->device;
  const char letter = "sdcz"[s->type];
  cusolver_memory memory = {0};
  void *work = NULL;
  int error = failed(d, s->function,
                     cusolver_workspace(&d->solver, d->solver_handle, name,
                                        letter, a, &memory.elements));
  if (!error)
    error = prepare(s, memory.elements, &work);
  if (error)
    return error;
  memory.work = (uintptr_t)work;
  memory.info = (uintptr_t)s->info;
  if (pivots)
    a[pivots].array = (uintptr_t)s->pivots;
  error = failed(
      d, s->function,
      cusolver_call(&d->solver, d->solver_handle, name, letter, a, &memory));
  return error ? error : look_at_result(s);
}

static int factor_general(solving *s) {
  const blas_argument *of = s->arguments;
  blas_argument a[] = {
      of[SOLVER_M], of[SOLVER_N], of[SOLVER_A], of[SOLVER_LDA], {0}};
  return solve(s, "getrf", a, 4);
}

static int solve_general(solving *s) {
  const blas_argument *of = s->arguments;
  blas_argument a[] = {{.integer = "NTC"[integer(s, SOLVER_LETTER)]},
                       of[SOLVER_N],
                       of[SOLVER_RIGHT_SIDES],
                       of[SOLVER_A],
                       of[SOLVER_LDA],
                       {0},
                       of[SOLVER_B],
                       of[SOLVER_LDB]};
  return solve(s, "getrs", a, 5);
}

static blas_argument triangle(const solving *s) {
  return (blas_argument){.integer = integer(s, SOLVER_LETTER) ? 'U' : 'L'};
}

static int factor_definite(solving *s) {
  const blas_argument *of = s->arguments;
  blas_argument a[] = {triangle(s), of[SOLVER_N], of[SOLVER_A], of[SOLVER_LDA]};
  return solve(s, "potrf", a, 0);
}

static int solve_definite(solving *s) {
  const blas_argument *of = s->arguments;
  blas_argument a[] = {triangle(s),   of[SOLVER_N],   of[SOLVER_RIGHT_SIDES],
                       of[SOLVER_A],  of[SOLVER_LDA], of[SOLVER_B],
                       of[SOLVER_LDB]};
  return solve(s, "potrs", a, 0);
}

static size_t pivots_size(const solving *s) {
  const int m = integer(s, SOLVER_M), n = integer(s, SOLVER_N);
  return (size_t)(m < n ? m : n) * sizeof(int);
}

static int fetch_pivots(const solving *s) {
  return device_read(s->device, (void *)s->arguments[SOLVER_PIVOTS].number,
                     (uintptr_t)s->pivots, pivots_size(s));
}

static int send_pivots(solving *s) {
  void *work;
  const int error = prepare(s, 0, &work);
  return error
             ? error
             : device_write(s->device, (uintptr_t)s->pivots,
                            s->arguments[SOLVER_PIVOTS].number, pivots_size(s));
}

int solver_call(blas_device *d, unsigned function,
                const blas_argument *arguments) {
  if (!d->solver.library)
    return DEVICE_CANNOT_DO;
  static const int sizes[] = {4, 8, 8, 16};
  const unsigned first = blas_solver(GETRF, 's');
  solving s = {.device = d,
               .function = function,
               .type = (int)((function - first) % 4),
               .arguments = arguments};
  s.element = sizes[s.type];
  int error = DEVICE_OK;
  switch ((solver_kind)((function - first) / 4)) {
  case GETRF:
    error = factor_general(&s);
    return error ? error : fetch_pivots(&s);
  case GETRS:
    error = send_pivots(&s);
    return error ? error : solve_general(&s);
  case GESV:
    error = factor_general(&s);
    if (!error)
      error = solve_general(&s);
    return error ? error : fetch_pivots(&s);
  case POTRF:
    return factor_definite(&s);
  case POTRS:
    return solve_definite(&s);
  case POSV:
    error = factor_definite(&s);
    return error ? error : solve_definite(&s);
  case SOLVERS:
    break;
  }
  return DEVICE_CANNOT_DO;
}
