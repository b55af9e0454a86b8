//===-- offload/blas/worth.c - See worth.h -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/worth.h"
#include <stdlib.h>
#include <time.h>

/// Seconds of the processor in calls for the device, before which not even the
/// model is read.
static const double WORTH_PREPARING = 0.02;
/// Any processor does as many operations in a second: a call of fewer than in
/// `worth` seconds saves less than that.
static const double SLOWEST = 1e10;

enum { REMEMBERED = 64 };
/// Where operands were. With `notes`.
static struct {
  const void *address;
  size_t size;
} operands[REMEMBERED];
static unsigned next_operand;

/// Was this one there before? Then it may stay on the device.
static int was_seen(const blas_operand *o) {
  const size_t size = operand_bytes(o);
  for (unsigned i = 0; i < REMEMBERED; ++i)
    if (operands[i].address == o->address && operands[i].size == size)
      return 1;
  operands[next_operand].address = o->address;
  operands[next_operand].size = size;
  next_operand = (next_operand + 1) % REMEMBERED;
  return 0;
}

static double upload_of(const blas_operand *o) {
  return o->reads ? (double)operand_bytes(o) * blas.model.upload : 0;
}

/// A run that ends right after the device was opened has lost what that took:
/// no run is to take so much longer than without a device, unless it is known
/// of the program that it gains.
static int is_long_enough(void) {
  static const double LARGEST_LOSS = 0.03;
  return blas.has_gained || (blas_now() - blas.governor.began) * LARGEST_LOSS >=
                                blas.settings.opening;
}

double worth_of_run(void) {
  const double saved = blas.gain + blas.unknown;
  return saved >= blas.settings.worth ? saved : 0;
}

void worth_note(const blas_call *call, double seconds) {
  blas.candidate += seconds;
  if (blas.candidate < WORTH_PREPARING ||
      __atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_READY)
    return; // what is decided then is known better: the governor's account
  blas_prepare();
  double gpu = blas_least_on_device(call);
  if (gpu < 0)
    blas.unknown += seconds;
  for (unsigned i = 0; gpu >= 0 && i < call->operand_count; ++i)
    if (!was_seen(&call->operands[i]))
      gpu += upload_of(&call->operands[i]);
  if (gpu >= 0 && gpu < seconds)
    blas.gain += seconds - gpu;
  if (worth_of_run() > 0 && is_long_enough())
    __atomic_store_n(&blas.is_worth_it, 1, __ATOMIC_RELAXED);
}

/// Does the model know the processor's rate of this very function? Another's
/// may be one of memory.
static int is_known(const blas_call *call) {
  return model_most_known(&blas.model, WHERE_CPU, call->rated_as[WHERE_CPU]) >=
         1;
}

double worth_of_waiting(const blas_call *call) {
  if (blas.settings.least_work > 0 || call->is_level_2 ||
      call->work < SLOWEST * blas.settings.worth)
    return 0;
  double saved = 0;
  pthread_mutex_lock(&blas.notes);
  blas_prepare();
  double gpu = blas_least_on_device(call);
  if (gpu >= 0 && is_known(call)) {
    for (unsigned i = 0; i < call->operand_count; ++i)
      gpu += upload_of(&call->operands[i]);
    saved = model_compute(&blas.model, WHERE_CPU, call->rated_as[WHERE_CPU],
                          call->work) -
            gpu;
  }
  pthread_mutex_unlock(&blas.notes);
  return saved >= blas.settings.worth ? saved : 0;
}

static int is_opening(void) {
  return __atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_OPENING;
}

void worth_wait_for_opening(const blas_call *call) {
  static int was_in_vain; // a driver that takes long once does so again
  if (!is_opening() || __atomic_load_n(&was_in_vain, __ATOMIC_RELAXED))
    return;
  const double saved = __atomic_load_n(&blas.is_known_gain, __ATOMIC_RELAXED)
                           ? LONGEST_WAIT
                           : worth_of_waiting(call);
  const double until =
      blas_now() + (saved < LONGEST_WAIT ? saved : LONGEST_WAIT);
  const struct timespec pause = {0, 1000000};
  while (saved > 0 && is_opening() && blas_now() < until)
    nanosleep(&pause, NULL);
  if (saved > 0 && is_opening())
    __atomic_store_n(&was_in_vain, 1, __ATOMIC_RELAXED);
}

/// What was won, or could have been, decides about the next run. What the end
/// of the process has cut off was no loss. Where nobody knows what the device
/// would have saved, the next run finds out.
static double gain_of_run(void) {
  const int state = __atomic_load_n(&blas.state, __ATOMIC_ACQUIRE);
  const int is_lost = state == DEVICE_CLOSED && !blas.was_cut_off;
  const double gain = is_lost                 ? 0
                      : state == DEVICE_READY ? blas.gain - blas.governor.lost
                                              : blas.gain + blas.unknown;
  return gain > 0 ? gain : 0;
}

static void note_gain(uint64_t key, int has_same_arguments) {
  static const double LEAVING = 0.2; // seconds of the process's end, at most
  const int had_device = *blas.statistics.device != '\0';
  const double gain = gain_of_run();
  history_entry e;
  if (!history_find(blas.history_file, key, &e) && gain < blas.settings.worth)
    return;
  e.gain = (float)gain;
  if (has_same_arguments && had_device)
    e.with = (float)(blas.statistics.seconds + LEAVING);
  else if (has_same_arguments)
    e.without = (float)blas.statistics.seconds;
  history_note(blas.history_file, key, &e);
}

void worth_keep(void) {
  if (!*blas.model_file || blas.statistics.child ||
      blas.settings.least_work > 0)
    return;
  // Other processes may have learned meanwhile.
  blas_model *kept = calloc(1, sizeof *kept);
  if (kept && model_load(kept, blas.model_file, blas.model_key)) {
    if (*blas.statistics.device)
      model_be_of(kept, blas.model.gpu);
    else // this process has opened none, and knows nothing new of it
      model_take_gpu(&blas.model, kept);
    model_add(&blas.model, kept);
  }
  free(kept);
  model_save(&blas.model, blas.model_file, blas.model_key);
  note_gain(blas.program.run, 1);
  note_gain(blas.program.program, 0);
}
