//===-- offload/blas/run/execution.c - See execution.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/execution.h"
#include "offload/blas/device/solver.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/ledger.h"
#include "offload/blas/run/loading.h"
#include "offload/blas/run/settings.h"
#include "services/common/cblas_values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Finds the operands' entries in the table. Returns false if the device cannot
/// do the call.
static int find_operands(gpu *g, const offload_call *call,
                         operand_entry **entries) {
  if (call->is_solver ? !g->device.solver.library
                      : g->cannot_by_rows[call->function] &&
                            call->arguments[0].integer == BY_ROWS)
    return 0;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    entries[i] = operands_find(&g->operands, &call->operands[i]);
    if (!entries[i])
      return 0;
    const host_lines *m = &entries[i]->shape;
    // device_download() copies whole lines, each through one piece of staging
    // memory.
    if (call->operands[i].writes && m->device_pitch > STAGING_SIZE &&
        m->pitch != m->device_pitch)
      return 0;
  }
  return 1;
}

/// Asks the ledger whether the device should do the call. If only the
/// function's code is missing there, has it loaded and asks again.
static int is_for_device(gpu *g, const offload_call *call,
                         operand_entry *const *entries, call_costs *costs) {
  operand_cost operands[MOST_OPERANDS];
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const operand *o = &call->operands[i];
    operands[i] = (operand_cost){.size = entries[i]->shape.lines *
                                         entries[i]->shape.device_pitch,
                                 .upload = operand_upload_size(entries[i], o),
                                 .stable = entries[i]->stable,
                                 .reads = o->reads,
                                 .writes = o->writes,
                                 .destroys = o->destroys};
  }
  const int matrix_stays = entries[0]->is_there || entries[0]->stable > 0;
  const char *is_loaded = &g->is_loaded[call->rated.rated_as[WHERE_GPU]];
  call_place place =
      ledger_decide(call, operands, matrix_stays, *is_loaded, costs);
  if (place == AFTER_LOADING && load_function(g, call, entries))
    place = ledger_decide(call, operands, matrix_stays, *is_loaded, costs);
  return place == ON_GPU;
}

/// Copies the operands to the device, has cuBLAS compute, and copies the result
/// back. `*is_lost`: a part of the result has replaced an operand on the host
/// when copying failed.
static int execute(gpu *g, const offload_call *call, operand_entry **entries,
                   call_times *times, int *is_lost) {
  blas_argument arguments[MOST_ARGUMENTS];
  memcpy(arguments, call->arguments, call->argument_count * sizeof *arguments);
  int error = 0;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const operand *o = &call->operands[i];
    if (o->source)
      continue;
    error = operand_bring(&g->operands, entries[i], o, &times->up);
    if (error)
      return error;
    arguments[o->place].array = entries[i]->device;
    if (o->pitch_place)
      arguments[o->pitch_place].integer =
          (int)(entries[i]->shape.device_pitch / o->element);
  }
  times->copied = seconds_now();
  error = call->is_solver ? solver_call(&g->device, call->function, arguments)
                          : device_call(&g->device, call->function, arguments);
  times->computed = seconds_now();
  int is_changed = 0; // an operand that the function reads
  for (unsigned i = 0; !error && i < call->operand_count; ++i) {
    const operand *o = &call->operands[i];
    if (!o->writes)
      continue;
    // After an error a part of the result may be on the host. The call can be
    // repeated only if the function does not read what it writes.
    is_changed |= o->reads;
    const operand_entry *source = entries[o->source ? o->source - 1u : i];
    error = operand_take(&g->operands, entries[i], o, source, &times->down);
    *is_lost = error && is_changed;
  }
  times->ended = seconds_now();
  return error;
}

static void note_failure(const gpu *g, int error, int is_lost) {
  if (is_lost) {
    fprintf(stderr,
            "gpuexec blas: error: %s, while a result was copied back; it "
            "cannot be computed again\n",
            g->device.error);
    abort();
  }
  if (error == DEVICE_NO_MEMORY)
    ledger_note_no_memory();
  if (error == DEVICE_FAILED)
    gpu_close_failed(g);
}

/// Charges the device with the time that was lost, and with what it cost to
/// watch memory that was then written. Closes the device when that is too much.
static void account(gpu *g, double lost) {
  char why[256];
  const double wasted = g->operands.wasted;
  g->operands.wasted = 0;
  if (ledger_account(lost + wasted, why, sizeof why))
    gpu_close(why);
}

static void explain(const offload_call *call, const call_costs *costs, int goes,
                    double seconds) {
  fprintf(stderr,
          "gpuexec blas: %s of %.3g operations: expected on the GPU %.6f s, "
          "on the processor %.6f s, %.1f MB there: %s",
          offload_function_name(call->function), call->rated.work, costs->gpu,
          costs->cpu, (double)costs->there / 1e6, goes ? "GPU" : "processor");
  if (goes)
    fprintf(stderr, ", %.6f s", seconds);
  fprintf(stderr, "\n");
}

static int run_on_device(gpu *g, const offload_call *call,
                         operand_entry **entries, const call_costs *costs,
                         double began) {
  call_times times = {.began = began};
  char *is_loaded = &g->is_loaded[call->rated.rated_as[WHERE_GPU]];
  int is_lost = 0;
  const int error = execute(g, call, entries, &times, &is_lost);
  if (error) {
    // cuBLAS has no function for some complex matrices that are stored by rows:
    // these are not tried again. A solver gives the same error for singular
    // matrices.
    if (error == DEVICE_CANNOT_DO && !call->is_solver)
      g->cannot_by_rows[call->function] = 1;
    note_failure(g, error, is_lost);
    account(g, seconds_now() - began);
    return 0;
  }
  ledger_note_gpu(call, costs, &times, *is_loaded);
  *is_loaded = 1;
  const double seconds = times.ended - began;
  if (told()->is_verbose)
    explain(call, costs, 1, seconds);
  account(g, costs->cpu > 0 ? seconds - costs->cpu : 0);
  return 1;
}

/// Leaves the call to the processor. Copies on the device of arrays that the
/// call writes are then out of date. Arrays that it reads are watched if the
/// device would have done the call with them on it.
static void leave_to_cpu(gpu *g, const offload_call *call,
                         operand_entry **entries, const call_costs *costs) {
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const operand *o = &call->operands[i];
    if (!entries[i])
      continue;
    operand_done_elsewhere(entries[i], o);
    if (!o->writes && !o->destroys &&
        is_gpu_faster_with_operands(told(), costs))
      operand_observe(&g->operands, entries[i]);
  }
}

int try_device(gpu *g, offload_call *call) {
  operand_entry *entries[MOST_OPERANDS] = {NULL};
  const double began = seconds_now();
  if (ledger_is_hopeless(call))
    return 0;
  if (device_enter(&g->device) != DEVICE_OK) {
    note_failure(g, DEVICE_FAILED, 0);
    return 0;
  }
  operands_next_call(&g->operands);
  call_costs costs = {.cpu = -1};
  int done = 0;
  if (find_operands(g, call, entries)) {
    if (is_for_device(g, call, entries, &costs)) {
      done = run_on_device(g, call, entries, &costs, began);
      call->was_tried = !done;
    } else if (told()->is_verbose) {
      explain(call, &costs, 0, 0);
    }
  }
  if (!done) {
    leave_to_cpu(g, call, entries, &costs);
    account(g, seconds_now() - began);
  }
  device_leave(&g->device);
  return done;
}
