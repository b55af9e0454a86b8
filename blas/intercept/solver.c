//===-- blas/intercept/solver.c - See solver.h ----------------------------===//
#include "blas/intercept/solver.h"
#include "blas/intercept/names.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int getrf_size(void *, int, int, void *, int, int *);
typedef int getrf(void *, int, int, void *, int, void *, int *, int *);
typedef int getrs(void *, int, int, int, const void *, int, const int *, void *,
                  int, int *);
typedef int potrf_size(void *, int, int, void *, int, int *);
typedef int potrf(void *, int, int, void *, int, void *, int, int *);
typedef int potrs(void *, int, int, int, const void *, int, void *, int, int *);

struct solver_functions {
  int (*create)(void **);
  int (*set_stream)(void *, void *);
  // Of each type: s, d, c, z.
  getrf_size *getrf_size[4];
  getrf *getrf[4];
  getrs *getrs[4];
  potrf_size *potrf_size[4];
  potrf *potrf[4];
  potrs *potrs[4];
};

static void *open_library(const char *name) {
  static const char *const names[] = {"libcusolver.so.12", "libcusolver.so.11",
                                      "/usr/local/cuda/lib64/libcusolver.so"};
  if (name) // the tests' stand-in calls LAPACK: its own
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; ++i)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static int load(struct solver_functions *f, void *library) {
  const struct {
    const char *name;
    void **functions;
  } wanted[] = {{"getrf_bufferSize", (void **)f->getrf_size},
                {"getrf", (void **)f->getrf},
                {"getrs", (void **)f->getrs},
                {"potrf_bufferSize", (void **)f->potrf_size},
                {"potrf", (void **)f->potrf},
                {"potrs", (void **)f->potrs}};
  char name[64];
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    for (int type = 0; type < 4; ++type) {
      snprintf(name, sizeof name, "cusolverDn%c%s", "SDCZ"[type],
               wanted[i].name);
      if (!(wanted[i].functions[type] = dlsym(library, name)))
        return 0;
    }
  *(void **)&f->create = dlsym(library, "cusolverDnCreate");
  *(void **)&f->set_stream = dlsym(library, "cusolverDnSetStream");
  return f->create && f->set_stream;
}

void solver_open(blas_device *d, const blas_settings *settings) {
  static struct solver_functions functions;
  // A stand-in for cuBLAS alone does not bring NVIDIA's cuSOLVER with it.
  if (settings->libcublas && !settings->libcusolver)
    return;
  void *library = open_library(settings->libcusolver);
  if (library && load(&functions, library) &&
      functions.create(&d->solver_handle) == 0 &&
      functions.set_stream(d->solver_handle, d->stream) == 0)
    d->solver = &functions;
}

static int failed(blas_device *d, unsigned function, int status) {
  if (status == 0)
    return DEVICE_OK;
  snprintf(d->error, sizeof d->error, "%s: cuSOLVER's status %d",
           blas_function_name(function), status);
  return status == 2 /* CUSOLVER_STATUS_ALLOC_FAILED */ ? DEVICE_NO_MEMORY
                                                        : DEVICE_FAILED;
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
static void *array(const solving *s, int place) {
  return (void *)(uintptr_t)s->arguments[place].array;
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

static int factor_general(solving *s) {
  const struct solver_functions *f = s->device->solver;
  int elements = 0;
  void *work = NULL;
  int error = failed(
      s->device, s->function,
      f->getrf_size[s->type](s->device->solver_handle, integer(s, SOLVER_M),
                             integer(s, SOLVER_N), array(s, SOLVER_A),
                             integer(s, SOLVER_LDA), &elements));
  if (!error)
    error = prepare(s, elements, &work);
  if (!error)
    error = failed(s->device, s->function,
                   f->getrf[s->type](s->device->solver_handle,
                                     integer(s, SOLVER_M), integer(s, SOLVER_N),
                                     array(s, SOLVER_A), integer(s, SOLVER_LDA),
                                     work, s->pivots, s->info));
  return error ? error : look_at_result(s);
}

static int solve_general(const solving *s) {
  const int error =
      failed(s->device, s->function,
             s->device->solver->getrs[s->type](
                 s->device->solver_handle, integer(s, SOLVER_LETTER),
                 integer(s, SOLVER_N), integer(s, SOLVER_RIGHT_SIDES),
                 array(s, SOLVER_A), integer(s, SOLVER_LDA), s->pivots,
                 array(s, SOLVER_B), integer(s, SOLVER_LDB), s->info));
  return error ? error : look_at_result(s);
}

static int factor_definite(solving *s) {
  const struct solver_functions *f = s->device->solver;
  int elements = 0;
  void *work = NULL;
  int error = failed(s->device, s->function,
                     f->potrf_size[s->type](
                         s->device->solver_handle, integer(s, SOLVER_LETTER),
                         integer(s, SOLVER_N), array(s, SOLVER_A),
                         integer(s, SOLVER_LDA), &elements));
  if (!error)
    error = prepare(s, elements, &work);
  if (!error)
    error = failed(
        s->device, s->function,
        f->potrf[s->type](s->device->solver_handle, integer(s, SOLVER_LETTER),
                          integer(s, SOLVER_N), array(s, SOLVER_A),
                          integer(s, SOLVER_LDA), work, elements, s->info));
  return error ? error : look_at_result(s);
}

static int solve_definite(const solving *s) {
  const int error =
      failed(s->device, s->function,
             s->device->solver->potrs[s->type](
                 s->device->solver_handle, integer(s, SOLVER_LETTER),
                 integer(s, SOLVER_N), integer(s, SOLVER_RIGHT_SIDES),
                 array(s, SOLVER_A), integer(s, SOLVER_LDA), array(s, SOLVER_B),
                 integer(s, SOLVER_LDB), s->info));
  return error ? error : look_at_result(s);
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
  if (!d->solver)
    return DEVICE_CANNOT_DO;
  static const int sizes[] = {4, 8, 8, 16};
  const unsigned first = blas_solver(GETRF, 's');
  solving s = {.device = d,
               .function = function,
               .type = (int)((function - first) % 4),
               .arguments = arguments};
  s.element = sizes[s.type];
  void *work = NULL;
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
    error = prepare(&s, 0, &work);
    return error ? error : solve_definite(&s);
  case POSV:
    error = factor_definite(&s);
    return error ? error : solve_definite(&s);
  case SOLVERS:
    break;
  }
  return DEVICE_CANNOT_DO;
}
