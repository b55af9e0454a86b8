//===-- offload/blas/opening.c - Opening the device and measuring it -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a thread of its own, while the program goes on with the processor. How
// fast a GPU is is measured once on a machine, and kept (model_file.c). The
// processor is not measured: the program's calls tell how fast it is.
//===----------------------------------------------------------------------===//
#include "offload/blas/background.h"
#include "offload/blas/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLE = 32 << 20, // bytes: three matrices of 1024 x 1024 doubles fit in
  MATRIX = 8 << 20,
};

/// The GPU's part of it; calls of the processor are noted in blas.model
/// meanwhile.
static blas_model fresh;

static unsigned function_named(const char *name) {
  unsigned i = 0;
  while (i < blas_function_count() && strcmp(name, blas_function_name(i)) != 0)
    ++i;
  return i;
}

/// A product of two matrices of n x n on the device, for the model.
static int measure_product(unsigned function, int n, uint64_t memory,
                           const void *one) {
  const blas_argument arguments[] = {{.integer = 102},
                                     {.integer = 111},
                                     {.integer = 111},
                                     {.integer = n},
                                     {.integer = n},
                                     {.integer = n},
                                     {.number = one},
                                     {.array = memory},
                                     {.integer = n},
                                     {.array = memory + MATRIX},
                                     {.integer = n},
                                     {.number = one},
                                     {.array = memory + 2 * (uint64_t)MATRIX},
                                     {.integer = n}};
  const double began = blas_now();
  const int error = device_call(&blas.device, function, arguments);
  const double seconds = blas_now() - began;
  // The first of a function loads code; of others the best counts. It is one
  // measurement, and a call of the program's is tried against it.
  if (!error && blas.warm[function]) {
    model_limit(&fresh, WHERE_GPU, function, 2.0 * n * n * n, seconds);
    if (n == 64 && (fresh.latency <= 0 || seconds < fresh.latency))
      fresh.latency = seconds;
  }
  blas.warm[function] = 1;
  return error;
}

/// The process's end waits for what the device is doing, no longer.
static int is_stopping(void) {
  if (!__atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE))
    return DEVICE_OK;
  snprintf(blas.device.error, sizeof blas.device.error,
           "the program ended while it was measured");
  return DEVICE_FAILED;
}

static int measure_products(uint64_t memory) {
  const float one = 1;
  const double one_of_double = 1;
  const unsigned single = function_named("sgemm");
  const unsigned twice = function_named("dgemm");
  int error = 0;
  for (int n = 64; !error && n <= 1024; n *= 4)
    for (int round = 0; !error && round < 3; ++round) {
      error = measure_product(single, n, memory, &one);
      if (!error)
        error = is_stopping();
      if (!error)
        error = measure_product(twice, n, memory, &one_of_double);
    }
  return error;
}

static void keep_least(double *rate, double measured) {
  if (!(*rate > 0) || measured < *rate)
    *rate = measured;
}

static int measure_copies(uint64_t memory, char *host) {
  // The best counts: the program computes beside it, and the device is used
  // while it waits.
  enum { ROUNDS = 4 };
  const host_lines lines = {host, 1, SAMPLE, SAMPLE, SAMPLE};
  int error = 0;
  for (int round = 0; !error && round < ROUNDS; ++round) {
    const double began = blas_now();
    error = device_upload(&blas.device, &lines, memory);
    const double between = blas_now();
    if (!error)
      error = device_download(&blas.device, &lines, memory, PART_WHOLE, 1);
    keep_least(&fresh.upload, (between - began) / SAMPLE);
    keep_least(&fresh.download, (blas_now() - between) / SAMPLE);
    if (!error)
      error = is_stopping();
  }
  return error;
}

static int measure(void) {
  uint64_t memory = 0;
  char *host = malloc(SAMPLE);
  if (!host)
    return DEVICE_NO_MEMORY;
  memset(host, 0, SAMPLE);
  int error = device_allocate(&blas.device, SAMPLE, &memory);
  if (!error) {
    error = measure_copies(memory, host);
    if (!error) // not zeros: GPUs are faster with those
      error = device_fill(&blas.device, memory, 0x3f9d70a4, SAMPLE / 4);
    if (!error)
      error = measure_products(memory);
    device_free(&blas.device, memory);
  }
  free(host);
  return error;
}

/// True where nothing is to be measured: it is known, or nobody asks. What the
/// model knows of another GPU, or another driver, is forgotten.
static int is_known(void) {
  if (blas.settings.least_work > 0)
    return 1;
  char gpu[MODEL_GPU];
  snprintf(gpu, sizeof gpu, "%s, CUDA %d", blas.device.name,
           blas.device.driver);
  pthread_mutex_lock(&blas.notes);
  blas_prepare();
  model_be_of(&blas.model, gpu);
  const int has_rates = blas.model.upload > 0;
  pthread_mutex_unlock(&blas.notes);
  return has_rates;
}

/// What the program's calls have shown meanwhile is newer.
static void merge_model(void) {
  pthread_mutex_lock(&blas.notes);
  model_add(&blas.model, &fresh);
  pthread_mutex_unlock(&blas.notes);
}

void blas_open_now(void) {
  const double began = blas_now();
  char text[256];
  background_guard_end();
  pthread_mutex_lock(&blas.loading);
  int error = device_open(&blas.device, &blas.settings, &blas.stopping);
  pthread_mutex_unlock(&blas.loading);
  if (!error && (error = device_enter(&blas.device)) == 0) {
    if (!is_known() && !__atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE))
      error = measure();
    device_leave(&blas.device);
  }
  if (error) {
    blas.was_cut_off = __atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE);
    snprintf(text, sizeof text, "not used: %s", blas.device.error);
    blas_close_device(text);
    return;
  }
  merge_model();
  operands_open(&blas.operands, &blas.device);
  snprintf(blas.statistics.device, sizeof blas.statistics.device, "%s",
           blas.device.name);
  snprintf(blas.statistics.cache, sizeof blas.statistics.cache, "%s",
           blas.operands.unwatched ? blas.operands.unwatched : "");
  snprintf(blas.statistics.state, sizeof blas.statistics.state,
           "opened in %.2f s, at %.2f s of the run", blas_now() - began,
           blas_now() - blas.governor.began);
  if (blas.settings.is_verbose)
    fprintf(stderr, "gpuexec blas: %s: opened in %.2f s\n", blas.device.name,
            blas_now() - began);
  __atomic_store_n(&blas.state, DEVICE_READY, __ATOMIC_RELEASE);
}

static void *open_in_background(void *unused) {
  (void)unused;
  blas_be_inside(1);
  blas_open_now();
  background_ends();
  return NULL;
}

void blas_start_opening(void) {
  int expected = DEVICE_NOT_ASKED;
  if (!__atomic_compare_exchange_n(&blas.state, &expected, DEVICE_OPENING, 0,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  // Before any library of the device notes what it does at the process's end.
  background_guard_end();
  if (!background_start(open_in_background))
    blas_close_device("not used: no thread to open it");
}
