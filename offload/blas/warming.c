//===-- offload/blas/warming.c - See warming.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/warming.h"
#include "offload/blas/background.h"
#include "offload/blas/solver.h"
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 256, MOST_NUMBERS = 2 };

/// A call that outlives the program's: what its arguments point to is copied.
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

/// The one that is being loaded; blas.is_warming says whether there is one.
static kept_call next_call;

static void keep(kept_call *k, const blas_call *call,
                 operand_entry *const *entries) {
  *k = (kept_call){.function = call->function,
                   .rated_as = call->rated_as[WHERE_GPU],
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
    const blas_operand *o = &call->operands[i];
    const host_lines *shape = &entries[i]->shape;
    k->operands[i].place = o->place;
    k->operands[i].size = (shape->lines * shape->device_pitch + ALIGNMENT - 1) /
                          ALIGNMENT * ALIGNMENT;
    if (o->pitch_place)
      k->arguments[o->pitch_place].integer =
          (int)(shape->device_pitch / o->element);
  }
}

static int call_on_scratch(kept_call *k) {
  uint64_t memory = 0;
  size_t size = 0;
  for (unsigned i = 0; i < k->operand_count; ++i)
    size += k->operands[i].size;
  int error = device_allocate(&blas.device, size, &memory);
  if (error)
    return error;
  uint64_t at = memory;
  for (unsigned i = 0; i < k->operand_count; ++i) {
    k->arguments[k->operands[i].place].array = at;
    at += k->operands[i].size;
  }
  error = device_fill(&blas.device, memory, 0x3f9d70a4, size / 4);
  if (!error)
    error = device_call(&blas.device, k->function, k->arguments);
  device_free(&blas.device, memory);
  return error;
}

/// With the lock, and the device entered.
static void load(kept_call *k) {
  const double began = blas_now();
  double seconds;
  pthread_mutex_lock(&blas.loading);
  const int error = k->is_solver ? blas_measure_once(k->rated_as, &seconds)
                                 : call_on_scratch(k);
  pthread_mutex_unlock(&blas.loading);
  if (error == DEVICE_FAILED) {
    blas_close_failed_device();
    return;
  }
  // What the device has no memory for, or cannot do, the program's call will
  // find out.
  pthread_mutex_lock(&blas.notes);
  blas.warm[k->rated_as] = 1;
  pthread_mutex_unlock(&blas.notes);
  if (blas.settings.is_verbose)
    fprintf(stderr, "gpuexec blas: %s: loaded on the GPU in %.3f s\n",
            blas_function_name(k->rated_as), blas_now() - began);
}

static void *load_in_background(void *unused) {
  (void)unused;
  blas_be_inside(1);
  pthread_mutex_lock(&blas.lock);
  if (__atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_READY &&
      !__atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE) &&
      device_enter(&blas.device) == DEVICE_OK) {
    load(&next_call);
    device_leave(&blas.device);
  }
  pthread_mutex_unlock(&blas.lock);
  __atomic_store_n(&blas.is_warming, 0, __ATOMIC_RELEASE);
  background_ends();
  return NULL;
}

int blas_warm_up(const blas_call *call, operand_entry *const *entries) {
  int expected = 0;
  if (!__atomic_compare_exchange_n(&blas.is_warming, &expected, 1, 0,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return 0;
  keep(&next_call, call, entries);
  if (blas.settings.waits) {
    load(&next_call);
    __atomic_store_n(&blas.is_warming, 0, __ATOMIC_RELEASE);
    return blas.warm[call->rated_as[WHERE_GPU]];
  }
  if (!background_start(load_in_background))
    __atomic_store_n(&blas.is_warming, 0, __ATOMIC_RELEASE);
  return 0;
}
