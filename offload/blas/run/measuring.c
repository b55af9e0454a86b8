//===-- offload/blas/run/measuring.c - How fast cuSOLVER's functions are --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rate of products says nothing about a factorisation: singular values may
// take cuSOLVER ten times as long as the processor. So a function of LAPACK
// goes to the device only after a background thread has measured it there: once
// on a machine (model_file.c), when the program has spent some time in that
// function on the processor. Each step takes the device for one call; meanwhile
// the processor does the program's calls.
//===----------------------------------------------------------------------===//
#include "offload/blas/run/measuring.h"
#include "offload/blas/device/solver.h"
#include "offload/blas/policy/solver_work.h"
#include "offload/blas/run/background.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/ledger.h"
#include "offload/blas/run/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A step with twice as many rows is expected to take TIMES_LONGER, and is made
/// if that is at most LONGEST_STEP seconds.
static const double LONGEST_STEP = 0.2, TIMES_LONGER = 8;
/// Sizes n of the n x n matrices that are measured. A larger one takes no
/// longer for an operation, so the last measurement is a bound for it
/// (model_limit()).
enum { FIRST_SIZE = 256, LAST_SIZE = 2048 };

/// Memory of a step on the device: three matrices, and a vector of n numbers.
typedef struct {
  unsigned function;
  int n;
  size_t element; ///< size of a number
  uint64_t memory, a, b, c, vector;
} sample;

static int is_single(const sample *s) {
  return offload_type_of(s->function) == 's' ||
         offload_type_of(s->function) == 'c';
}
static int numbers(const sample *s) { // real numbers in a number of the type
  return (int)(s->element / (is_single(s) ? sizeof(float) : sizeof(double)));
}

static void set(const sample *s, void *at, size_t index, double value) {
  if (is_single(s))
    ((float *)at)[index] = (float)value;
  else
    ((double *)at)[index] = value;
}

/// Fills a matrix with random numbers, such that each column has a length of
/// about 1. `is_dominant`: with a large and real diagonal, as for factors and
/// definite matrices.
static void fill(const sample *s, void *matrix, int is_dominant) {
  uint64_t state = 88172645463325252u;
  const size_t n = (size_t)s->n, parts = (size_t)numbers(s);
  double length = 1; // becomes about the root of n
  while (length * length < (double)s->n)
    length *= 2;
  const double scale = 1 / length / 0x1p31;
  for (size_t i = 0; i < n * n * parts; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    set(s, matrix, i, scale * (double)(int32_t)(state >> 32));
  }
  for (size_t i = 0; i < n; ++i) {
    if (is_dominant)
      set(s, matrix, i * (n + 1) * parts, 2 * length);
    if (parts == 2)
      set(s, matrix, i * (n + 1) * parts + 1, 0);
  }
}

/// Fills a vector with pivots that exchange no rows, or with factors of
/// reflections.
static void fill_vector(const sample *s, void *vector) {
  const size_t parts = (size_t)numbers(s);
  memset(vector, 0, (size_t)s->n * s->element);
  for (size_t i = 0; i < (size_t)s->n; ++i)
    if (offload_kind_of(s->function) == GETRS)
      ((int *)vector)[i] = (int)i + 1;
    else
      set(s, vector, i * parts, 1);
}

static int has_large_diagonal(solver_kind kind) {
  return kind == GETRS || kind == POTRF || kind == POTRS || kind == POSV;
}

static int upload(offload_device *device, const sample *s) {
  const size_t size = (size_t)s->n * (size_t)s->n * s->element;
  const size_t vector_size = (size_t)s->n * s->element;
  char *host = malloc(size + vector_size);
  if (!host)
    return DEVICE_NO_MEMORY;
  fill(s, host, has_large_diagonal(offload_kind_of(s->function)));
  fill_vector(s, host + size);
  int error = device_write(device, s->a, host, size);
  if (!error)
    error = device_write(device, s->b, host, size);
  if (!error)
    error = device_write(device, s->c, host, size);
  if (!error)
    error = device_write(device, s->vector, host + size, vector_size);
  free(host);
  return error;
}

static blas_argument argument(const sample *s, char letter) {
  const int is_variant = offload_is_variant(s->function);
  switch (letter) {
  case 'n':
    return (blas_argument){.integer = s->n};
  case '1':
    return (blas_argument){.integer = 1};
  case 'c':
    return (blas_argument){.integer = is_variant ? 1 : s->n};
  case 'A':
    return (blas_argument){.array = s->a};
  case 'B':
    return (blas_argument){.array = s->b};
  case 'C':
    return (blas_argument){.array = s->c};
  case 'v':
    return (blas_argument){.array = s->vector};
  case '0':
    return (blas_argument){.array = 0};
  case 't':
    return (blas_argument){.integer = numbers(s) == 2 ? 'C' : 'T'};
  case 'e':
    return (blas_argument){.integer = is_variant ? 'N' : 'V'};
  case 'j':
    return (blas_argument){.integer = is_variant ? 'N' : 'S'};
  default:
    return (blas_argument){.integer = letter};
  }
}

static int call(offload_device *device, const sample *s) {
  blas_argument arguments[MOST_ARGUMENTS] = {{0}};
  const char *pattern = offload_arguments_of(offload_kind_of(s->function));
  for (unsigned i = 0; pattern[i]; ++i)
    arguments[i] = argument(s, pattern[i]);
  return solver_call(device, s->function, arguments);
}

/// One call of a function. `seconds`: what it took.
static int measure(offload_device *device, unsigned function, int n,
                   double *seconds) {
  sample s = {.function = function, .n = n};
  const char type = offload_type_of(function);
  s.element = (type == 's' || type == 'c' ? 4 : 8)
              << (type == 'c' || type == 'z');
  const uint64_t size = (uint64_t)n * (uint64_t)n * s.element;
  int error = device_allocate(device, 4 * size, &s.memory);
  if (error)
    return error;
  s.a = s.memory;
  s.b = s.a + size;
  s.c = s.b + size;
  s.vector = s.c + size;
  error = upload(device, &s);
  const double began = seconds_now();
  if (!error)
    error = call(device, &s);
  *seconds = seconds_now() - began;
  device_free(device, s.memory);
  return error;
}

int measure_smallest(offload_device *device, unsigned function,
                     double *seconds) {
  return measure(device, function, FIRST_SIZE, seconds);
}

/// Takes the device for one call. `loads`: the first call of a function, which
/// loads code and perhaps libraries. Returns DEVICE_CANNOT_DO if the device
/// cannot be had or the process ends.
static int step(unsigned function, int n, int loads, double *seconds) {
  int error = DEVICE_CANNOT_DO;
  gpu *g = gpu_take(GPU_READY);
  if (!g)
    return error;
  if (!background_is_stopping()) {
    error = device_enter(&g->device);
    if (!error) {
      if (loads)
        loading_begins();
      error = measure(&g->device, function, n, seconds);
      if (loads)
        loading_ends();
      device_leave(&g->device);
    }
    if (error == DEVICE_FAILED)
      gpu_close_failed(g);
    if (!error)
      g->is_loaded[function] = 1;
  }
  gpu_give_back(g);
  return error;
}

static double work_of_sample(unsigned function, int n) {
  const double m = (double)n;
  const solver_kind kind = offload_kind_of(function);
  const int is_variant = offload_is_variant(function);
  const char *pattern = offload_arguments_of(kind);
  const int has_one =
      strchr(pattern, '1') || (strchr(pattern, 'c') && is_variant);
  const double work =
      kind == ORMQR ? solver_work(kind, is_variant, m, has_one ? 1 : m, m)
                    : solver_work(kind, is_variant, m, m, has_one ? 1 : m);
  const char type = offload_type_of(function);
  return type == 'c' || type == 'z' ? 4 * work : work;
}

static void measure_function(unsigned function) {
  double seconds = 0;
  ledger_expect(function, work_of_sample(function, FIRST_SIZE), LONGEST_WAIT);
  int error = step(function, FIRST_SIZE, 1, &seconds);
  for (int n = FIRST_SIZE; !error && n <= LAST_SIZE; n *= 2) {
    // The first call of a size may load code, which takes 50 ms on an H200.
    double again = 0;
    error = step(function, n, 0, &seconds);
    if (!error)
      error = step(function, n, 0, &again);
    if (error)
      return;
    if (again < seconds)
      seconds = again;
    ledger_limit(function, work_of_sample(function, n), seconds);
    if (told()->is_verbose)
      fprintf(stderr, "gpuexec blas: %s of %d rows takes the GPU %.6f s\n",
              offload_function_name(function), n, seconds);
    if (TIMES_LONGER * seconds > LONGEST_STEP)
      return;
  }
}

static void measure_all(void) {
  for (unsigned function; (function = ledger_take_function()) < MOST_FUNCTIONS;)
    measure_function(function);
}

void start_measuring(void) {
  if (told()->waits)
    measure_all();
  else if (!background_start(measure_all))
    ledger_stop_measuring();
}
