//===-- offload/blas/run/loading.c - See loading.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/loading.h"
#include "offload/blas/run/background.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/measuring.h"
#include "offload/blas/run/settings.h"
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 256, MOST_NUMBERS = 2 };

/// A copy of a call, with what its arguments point to: it may run after the
/// program's own call has returned.
typedef struct {
  unsigned function, rated_as;
  int is_solver;
  blas_argument arguments[MOST_ARGUMENTS];
  _Alignas(16) char numbers[MOST_NUMBERS][16]; ///< alpha, beta
  unsigned operand_count;
  struct {
    unsigned place;
    size_t size; ///< bytes on the device
  } operands[MOST_OPERANDS];
} kept_call;

/// The call whose function is being loaded.
static kept_call next_call;
static int is_loading; // atomic

static void keep(kept_call *k, const offload_call *call,
                 operand_entry *const *entries) {
  *k = (kept_call){.function = call->function,
                   .rated_as = call->rated.rated_as[WHERE_GPU],
                   .is_solver = call->is_solver};
  if (call->is_solver)
    return; // it is measured, on matrices of its own
  memcpy(k->arguments, call->arguments,
         call->argument_count * sizeof *k->arguments);
  unsigned count = 0;
  for (unsigned place = 0; place < call->argument_count; ++place)
    if (call->numbers >> place & 1 && count < MOST_NUMBERS) {
      memcpy(k->numbers[count], call->arguments[place].number,
             call->real_size << (call->complex_numbers >> place & 1));
      k->arguments[place].number = k->numbers[count++];
    }
  k->operand_count = call->operand_count;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const operand *o = &call->operands[i];
    const host_lines *shape = &entries[i]->shape;
    k->operands[i].place = o->place;
    k->operands[i].size = (shape->lines * shape->device_pitch + ALIGNMENT - 1) /
                          ALIGNMENT * ALIGNMENT;
    if (o->pitch_place)
      k->arguments[o->pitch_place].integer =
          (int)(shape->device_pitch / o->element);
  }
}

static int call_on_scratch(offload_device *device, kept_call *k) {
  uint64_t memory = 0;
  size_t size = 0;
  for (unsigned i = 0; i < k->operand_count; ++i)
    size += k->operands[i].size;
  int error = device_allocate(device, size, &memory);
  if (error)
    return error;
  uint64_t at = memory;
  for (unsigned i = 0; i < k->operand_count; ++i) {
    k->arguments[k->operands[i].place].array = at;
    at += k->operands[i].size;
  }
  error = device_fill(device, memory, 0x3f9d70a4, size / 4);
  if (!error)
    error = device_call(device, k->function, k->arguments);
  device_free(device, memory);
  return error;
}

static void load(gpu *g, kept_call *k) {
  const double began = seconds_now();
  double seconds;
  loading_begins();
  const int error = k->is_solver
                        ? measure_smallest(&g->device, k->rated_as, &seconds)
                        : call_on_scratch(&g->device, k);
  loading_ends();
  if (error == DEVICE_FAILED) {
    gpu_close_failed(g);
    return;
  }
  // An error is ignored: if memory is missing, or cuBLAS cannot do the call,
  // the program's own call will find out.
  g->is_loaded[k->rated_as] = 1;
  if (told()->is_verbose)
    fprintf(stderr, "gpuexec blas: %s: loaded on the GPU in %.3f s\n",
            offload_function_name(k->rated_as), seconds_now() - began);
}

static void end_loading(void) {
  __atomic_store_n(&is_loading, 0, __ATOMIC_RELEASE);
}

static void load_in_background(void) {
  gpu *g = gpu_take(GPU_READY);
  if (g) {
    if (!background_is_stopping() && device_enter(&g->device) == DEVICE_OK) {
      load(g, &next_call);
      device_leave(&g->device);
    }
    gpu_give_back(g);
  }
  end_loading();
}

int load_function(gpu *g, const offload_call *call,
                  operand_entry *const *entries) {
  if (__atomic_exchange_n(&is_loading, 1, __ATOMIC_ACQ_REL))
    return 0;
  keep(&next_call, call, entries);
  if (told()->waits) {
    load(g, &next_call);
    end_loading();
  } else if (!background_start(load_in_background)) {
    end_loading();
  }
  return told()->waits && g->is_loaded[call->rated.rated_as[WHERE_GPU]];
}

void loading_in_child(void) { end_loading(); }
