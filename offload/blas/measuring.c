//===-- offload/blas/measuring.c - How fast cuSOLVER's functions are -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rate of products says nothing of a factorisation: cuSOLVER's singular
// values may take ten times as long as the processor's. So a function of LAPACK
// goes to the device only after it was measured there, in a thread of its own.
// It is measured when the program has spent some time in that function on the
// processor, and once on a machine (model_file.c). A step has the device for
// one call; what the program asks meanwhile the processor does.
//===----------------------------------------------------------------------===//
#include "offload/blas/background.h"
#include "offload/blas/lapack_describe.h"
#include "offload/blas/solver.h"
#include "offload/blas/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Seconds that a step may be expected to take, eight times what the last one
/// took.
static const double LONGEST_STEP = 0.2;
/// Seconds of a run of which LONGEST_WAIT is a thirtieth. A process may end
/// each time before anything is measured, or nothing may be kept: then only
/// long runs try.
static const double LONG_RUN = 30;
/// Matrices of n x n that are measured. Larger ones take no longer for an
/// operation: what was measured is a bound for them (model.h).
enum { FIRST_SIZE = 256, LAST_SIZE = 2048 };

/// Memory of a step on the device: three matrices, and a vector of n numbers.
typedef struct {
  unsigned function;
  int n;
  size_t element; ///< size of a number
  uint64_t memory, a, b, c, vector;
} sample;

static int is_single(const sample *s) {
  return blas_type_of(s->function) == 's' || blas_type_of(s->function) == 'c';
}
static int numbers(const sample *s) { // real ones in one of the type
  return (int)(s->element / (is_single(s) ? sizeof(float) : sizeof(double)));
}

static void set(const sample *s, void *at, size_t index, double value) {
  if (is_single(s))
    ((float *)at)[index] = (float)value;
  else
    ((double *)at)[index] = value;
}

/// Random numbers, of which a column has a length of about 1. Where they are to
/// be factors, or definite, the diagonal is large; it is real.
static void fill(const sample *s, void *matrix, int is_dominant) {
  uint64_t state = 88172645463325252u;
  const size_t n = (size_t)s->n, parts = (size_t)numbers(s);
  double length = 1; // about the root of n
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

/// Pivots that exchange nothing, or factors of reflections.
static void fill_vector(const sample *s, void *vector) {
  const size_t parts = (size_t)numbers(s);
  memset(vector, 0, (size_t)s->n * s->element);
  for (size_t i = 0; i < (size_t)s->n; ++i)
    if (blas_kind_of(s->function) == GETRS)
      ((int *)vector)[i] = (int)i + 1;
    else
      set(s, vector, i * parts, 1);
}

static int has_large_diagonal(solver_kind kind) {
  return kind == GETRS || kind == POTRF || kind == POTRS || kind == POSV;
}

static int upload(const sample *s) {
  const size_t size = (size_t)s->n * (size_t)s->n * s->element;
  const size_t vector_size = (size_t)s->n * s->element;
  char *host = malloc(size + vector_size);
  if (!host)
    return DEVICE_NO_MEMORY;
  fill(s, host, has_large_diagonal(blas_kind_of(s->function)));
  fill_vector(s, host + size);
  int error = device_write(&blas.device, s->a, host, size);
  if (!error)
    error = device_write(&blas.device, s->b, host, size);
  if (!error)
    error = device_write(&blas.device, s->c, host, size);
  if (!error)
    error = device_write(&blas.device, s->vector, host + size, vector_size);
  free(host);
  return error;
}

/// The arguments of a function, a letter for each: n the size, c as many
/// columns or one, A B C the matrices, v the vector, 0 nothing; L N as they
/// are; t transposed; j with vectors or without, for eigenvalues and singular
/// values.
static const char *pattern_of(solver_kind kind) {
  switch (kind) {
  case GETRF:
    return "nnAnv";
  case GETRS:
    return "NncAnvBn";
  case GESV:
    return "n1AnvBn";
  case POTRF:
    return "LnAn";
  case POTRS:
    return "LncAnBn";
  case POSV:
    return "Ln1AnBn";
  case GEQRF:
    return "nnAnv";
  case ORGQR:
    return "nnnAnv";
  case ORMQR:
    return "LtncnAnvCn";
  case SYEV:
  case SYEVD:
  case SYEVR:
    return "eLnAnv";
  case GESVD:
  case GESDD:
    return "jjnnAnvBnCn0";
  case SOLVERS:
    break;
  }
  return "";
}

static blas_argument argument(const sample *s, char letter) {
  const int is_variant = blas_is_variant(s->function);
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

static int call(const sample *s) {
  blas_argument arguments[MOST_ARGUMENTS] = {{0}};
  const char *pattern = pattern_of(blas_kind_of(s->function));
  for (unsigned i = 0; pattern[i]; ++i)
    arguments[i] = argument(s, pattern[i]);
  return solver_call(&blas.device, s->function, arguments);
}

/// With the device: one call of a function. `seconds`: what it took.
static int measure(unsigned function, int n, double *seconds) {
  sample s = {.function = function, .n = n};
  const char type = blas_type_of(function);
  s.element = (type == 's' || type == 'c' ? 4 : 8)
              << (type == 'c' || type == 'z');
  const uint64_t size = (uint64_t)n * (uint64_t)n * s.element;
  int error = device_allocate(&blas.device, 4 * size, &s.memory);
  if (error)
    return error;
  s.a = s.memory;
  s.b = s.a + size;
  s.c = s.b + size;
  s.vector = s.c + size;
  error = upload(&s);
  const double began = blas_now();
  if (!error)
    error = call(&s);
  *seconds = blas_now() - began;
  device_free(&blas.device, s.memory);
  return error;
}

int blas_measure_once(unsigned function, double *seconds) {
  return measure(function, FIRST_SIZE, seconds);
}

/// Takes the device for one call. The first of a function `loads` code, and may
/// load libraries. DEVICE_CANNOT_DO: the device is not to be had, or the
/// process ends.
static int step(unsigned function, int n, int loads, double *seconds) {
  int error = DEVICE_CANNOT_DO;
  pthread_mutex_lock(&blas.lock);
  if (__atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_READY &&
      !__atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE)) {
    error = device_enter(&blas.device);
    if (!error) {
      if (loads)
        pthread_mutex_lock(&blas.loading);
      error = measure(function, n, seconds);
      if (loads)
        pthread_mutex_unlock(&blas.loading);
      device_leave(&blas.device);
    }
    if (error == DEVICE_FAILED) {
      blas_close_failed_device();
    }
  }
  pthread_mutex_unlock(&blas.lock);
  return error;
}

static double work_of_sample(unsigned function, int n) {
  const double m = (double)n;
  const solver_kind kind = blas_kind_of(function);
  const int is_variant = blas_is_variant(function);
  const char *pattern = pattern_of(kind);
  const int has_one =
      strchr(pattern, '1') || (strchr(pattern, 'c') && is_variant);
  const double work =
      kind == ORMQR ? solver_work(kind, is_variant, m, has_one ? 1 : m, m)
                    : solver_work(kind, is_variant, m, m, has_one ? 1 : m);
  const char type = blas_type_of(function);
  return type == 'c' || type == 'z' ? 4 * work : work;
}

static void measure_function(unsigned function) {
  double seconds = 0;
  pthread_mutex_lock(&blas.notes);
  model_expect(&blas.model, WHERE_GPU, function,
               work_of_sample(function, FIRST_SIZE), LONGEST_WAIT);
  pthread_mutex_unlock(&blas.notes);
  int error = step(function, FIRST_SIZE, 1, &seconds);
  for (int n = FIRST_SIZE; !error && n <= LAST_SIZE; n *= 2) {
    // The first call of a size may load code of its own, 50 ms of an H200.
    double again = 0;
    error = step(function, n, 0, &seconds);
    if (!error)
      error = step(function, n, 0, &again);
    if (error)
      return;
    if (again < seconds)
      seconds = again;
    pthread_mutex_lock(&blas.notes);
    model_limit(&blas.model, WHERE_GPU, function, work_of_sample(function, n),
                seconds);
    blas.warm[function] = 1;
    pthread_mutex_unlock(&blas.notes);
    if (blas.settings.is_verbose)
      fprintf(stderr, "gpuexec blas: %s of %d rows takes the GPU %.6f s\n",
              blas_function_name(function), n, seconds);
    if (8 * seconds > LONGEST_STEP)
      return;
  }
}

/// A function that waits for being measured; MOST_FUNCTIONS: none, and the
/// thread has ended.
static unsigned take_function(void) {
  pthread_mutex_lock(&blas.notes);
  unsigned function = 0;
  while (function < MOST_FUNCTIONS &&
         blas.measuring[function] != MEASURING_ASKED)
    ++function;
  if (function < MOST_FUNCTIONS)
    blas.measuring[function] = MEASURING_DONE;
  else
    __atomic_store_n(&blas.is_measuring, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&blas.notes);
  return function;
}

static void *measure_all(void *unused) {
  (void)unused;
  blas_be_inside(1);
  for (unsigned function; (function = take_function()) < MOST_FUNCTIONS;)
    measure_function(function);
  blas_be_inside(0);
  return NULL;
}

static void *measure_in_background(void *unused) {
  measure_all(unused);
  background_ends();
  return NULL;
}

int blas_asks_for_measuring(const blas_call *call, double more) {
  const unsigned function = call->rated_as[WHERE_GPU];
  if (blas.settings.least_work > 0 || blas.measuring[function] ||
      blas.spent[function] + more < blas.settings.worth / 4 ||
      __atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) != DEVICE_READY)
    return 0;
  const double known = model_most_known(&blas.model, WHERE_GPU, function);
  if (known >= 0.5) {
    blas.measuring[function] = MEASURING_DONE; // on this machine before
    return 0;
  }
  const int is_tried_again = known > 0 || !*blas.model_file;
  if (is_tried_again && blas_now() - blas.governor.began < LONG_RUN)
    return 0;
  blas.measuring[function] = MEASURING_ASKED;
  if (blas.is_measuring)
    return 0; // the thread finds it
  __atomic_store_n(&blas.is_measuring, 1, __ATOMIC_RELEASE);
  return 1;
}

void blas_start_measuring(void) {
  if (blas.settings.waits) {
    measure_all(NULL);
    return;
  }
  if (!background_start(measure_in_background))
    __atomic_store_n(&blas.is_measuring, 0, __ATOMIC_RELEASE);
}
