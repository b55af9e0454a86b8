//===-- offload/blas/run/opening.c - Opening the device and measuring it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the device in a background thread, while the program goes on with the
// processor. The speed of a GPU is measured once on a machine and kept
// (model_file.c). The processor is not measured: the program's calls tell how
// fast it is.
//===----------------------------------------------------------------------===//
#include "offload/blas/run/opening.h"
#include "offload/blas/run/background.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/ledger.h"
#include "offload/blas/run/settings.h"
#include "services/common/cblas_values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLE = 32 << 20, // bytes: three matrices of 1024 x 1024 doubles fit in
  MATRIX = 8 << 20,
  LEAST_SIZE = 64, // rows: what a product takes is the latency of a call
  LARGEST_SIZE = 1024,
};

static unsigned function_named(const char *name) {
  unsigned i = 0;
  while (i < offload_function_count() &&
         strcmp(name, offload_function_name(i)) != 0)
    ++i;
  return i;
}

/// A product of two matrices of n x n on the device, for the model.
static int measure_product(gpu *g, offload_model *measured, unsigned function,
                           int n, uint64_t memory, const void *one) {
  const blas_argument arguments[] = {{.integer = BY_COLUMNS},
                                     {.integer = NO_TRANS},
                                     {.integer = NO_TRANS},
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
  const double began = seconds_now();
  const int error = device_call(&g->device, function, arguments);
  const double seconds = seconds_now() - began;
  // The first product of a function loads code and is not counted. The best of
  // the others is stored as a bound, which counts as half a call: the program's
  // first call is tried against it.
  if (!error && g->is_loaded[function]) {
    model_limit(measured, WHERE_GPU, function, 2.0 * n * n * n, seconds);
    if (n == LEAST_SIZE &&
        (measured->latency <= 0 || seconds < measured->latency))
      measured->latency = seconds;
  }
  g->is_loaded[function] = 1;
  return error;
}

/// Ends measuring when the process ends, whose end then waits only for what the
/// device is doing.
static int check_end(gpu *g) {
  if (!background_is_stopping())
    return DEVICE_OK;
  snprintf(g->device.error, sizeof g->device.error,
           "the program ended while it was measured");
  return DEVICE_FAILED;
}

static int measure_products(gpu *g, offload_model *measured, uint64_t memory) {
  const float one = 1;
  const double one_of_double = 1;
  const unsigned single = function_named("sgemm");
  const unsigned twice = function_named("dgemm");
  int error = 0;
  for (int n = LEAST_SIZE; !error && n <= LARGEST_SIZE; n *= 4)
    for (int round = 0; !error && round < 3; ++round) {
      error = measure_product(g, measured, single, n, memory, &one);
      if (!error)
        error = check_end(g);
      if (!error)
        error = measure_product(g, measured, twice, n, memory, &one_of_double);
    }
  return error;
}

static void keep_least(double *rate, double measured) {
  if (!(*rate > 0) || measured < *rate)
    *rate = measured;
}

static int measure_copies(gpu *g, offload_model *measured, uint64_t memory,
                          char *host) {
  // The best round counts: the program computes beside it.
  enum { ROUNDS = 4 };
  const host_lines lines = {host, 1, SAMPLE, SAMPLE, SAMPLE};
  int error = 0;
  for (int round = 0; !error && round < ROUNDS; ++round) {
    const double began = seconds_now();
    error = device_upload(&g->device, &lines, memory);
    const double between = seconds_now();
    if (!error)
      error = device_download(&g->device, &lines, memory, PART_WHOLE, 1);
    keep_least(&measured->upload, (between - began) / SAMPLE);
    keep_least(&measured->download, (seconds_now() - between) / SAMPLE);
    if (!error)
      error = check_end(g);
  }
  return error;
}

static int measure(gpu *g, offload_model *measured) {
  uint64_t memory = 0;
  char *host = malloc(SAMPLE);
  if (!host)
    return DEVICE_NO_MEMORY;
  memset(host, 0, SAMPLE);
  int error = device_allocate(&g->device, SAMPLE, &memory);
  if (!error) {
    error = measure_copies(g, measured, memory, host);
    if (!error) // not zeros, which GPUs multiply faster
      error = device_fill(&g->device, memory, 0x3f9d70a4, SAMPLE / 4);
    if (!error)
      error = measure_products(g, measured, memory);
    device_free(&g->device, memory);
  }
  free(host);
  return error;
}

static int was_stopped; // atomic

int opening_was_cut_off(void) {
  return __atomic_load_n(&was_stopped, __ATOMIC_ACQUIRE);
}

/// Opens the device, and measures it unless the rates of such a GPU are kept.
static int open_and_measure(gpu *g) {
  background_guard_end();
  loading_begins();
  int error = device_open(&g->device, told(), background_stopping());
  loading_ends();
  if (error || (error = device_enter(&g->device)) != 0)
    return error;
  if (!ledger_knows_gpu(g->device.name, g->device.driver) &&
      !background_is_stopping()) {
    offload_model *measured = calloc(1, sizeof *measured);
    error = measured ? measure(g, measured) : DEVICE_NO_MEMORY;
    if (!error)
      ledger_add_measured(measured);
    free(measured);
  }
  device_leave(&g->device);
  return error;
}

void open_device(gpu *g) {
  const double began = seconds_now();
  if (open_and_measure(g)) {
    char text[256];
    __atomic_store_n(&was_stopped, background_is_stopping(), __ATOMIC_RELEASE);
    snprintf(text, sizeof text, "not used: %s", g->device.error);
    gpu_close(text);
    return;
  }
  operands_open(&g->operands, &g->device);
  const double seconds = seconds_now() - began;
  ledger_note_device(g->device.name, g->operands.unwatched, seconds);
  if (told()->is_verbose)
    fprintf(stderr, "gpuexec blas: %s: opened in %.2f s\n", g->device.name,
            seconds);
  gpu_become_ready();
}

static void open_in_background(void) {
  gpu *g = gpu_take(GPU_OPENING);
  if (!g)
    return;
  open_device(g);
  gpu_give_back(g);
}

void start_opening(void) {
  if (!gpu_begin_opening())
    return;
  // Registers our wait for the process's end before the libraries of the device
  // register what they do then.
  background_guard_end();
  if (!background_start(open_in_background))
    gpu_close("not used: no thread to open it");
}
