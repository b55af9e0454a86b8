//===-- offload/blas/execution.c - A call on the device ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/solver.h"
#include "offload/blas/state.h"
#include "offload/blas/warming.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a call would cost.
typedef struct {
  double cpu;          ///< seconds; below 0: not known
  double gpu;          ///< with the copies that are needed
  double gpu_if_there; ///< if all that it reads were on the device
  size_t there;        ///< bytes that need not be copied
  int matrix_stays; ///< the first operand is there, or was not written lately
} estimate;

enum { BY_ROWS = 101 };

static int is_possible(const blas_call *call, operand_entry **entries) {
  if (call->is_solver ? !blas.device.solver.library
                      : blas.cannot_by_rows[call->function] &&
                            call->arguments[0].integer == BY_ROWS)
    return 0;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    entries[i] = operands_find(&blas.operands, &call->operands[i]);
    if (!entries[i])
      return 0;
    const host_lines *m = &entries[i]->shape;
    // device_download() takes whole lines.
    if (call->operands[i].writes && m->device_pitch > STAGING_SIZE &&
        m->pitch != m->device_pitch)
      return 0;
  }
  return 1;
}

static double compute_on(int where, const blas_call *call) {
  return model_compute(&blas.model, where, call->rated_as[where], call->work);
}

static double known_on(int where, const blas_call *call) {
  return model_known(&blas.model, where, call->rated_as[where], call->work);
}

static estimate estimate_call(const blas_call *call, operand_entry **entries) {
  const blas_model *m = &blas.model;
  estimate e = {0};
  e.cpu = compute_on(WHERE_CPU, call);
  double compute = compute_on(WHERE_GPU, call);
  if (compute < m->latency)
    compute = m->latency;
  e.gpu = e.gpu_if_there = compute;
  e.matrix_stays = entries[0]->is_there || entries[0]->stable > 0;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const blas_operand *o = &call->operands[i];
    const size_t size =
        entries[i]->shape.lines * entries[i]->shape.device_pitch;
    const size_t upload = operand_upload_size(entries[i], o);
    e.there += o->reads && !upload ? size : 0;
    // An array that has not changed for some calls is expected to stay as it is
    // for as many: each bears a share of the copy.
    const double share =
        o->writes || o->destroys ? 1 : 1.0 / (1 + entries[i]->stable);
    e.gpu += (double)upload * m->upload * share;
    if (o->writes) {
      const double back = (double)size * m->download;
      e.gpu += back;
      e.gpu_if_there += back + (double)upload * m->upload;
    }
  }
  return e;
}

/// Trying something out may cost half a percent of the run.
static int may_explore(double cost) {
  if (cost < 0)
    cost = 0;
  if (blas.explored + cost > 0.005 * (blas_now() - blas.governor.began))
    return 0;
  blas.explored += cost;
  return 1;
}

static uint64_t calls_of(unsigned function) {
  const function_statistics *f = &blas.statistics.functions[function];
  return f->cpu_calls + f->gpu_calls;
}

/// Now and then the side that is expected to be slower is tried.
static int is_turn_to_explore(unsigned function) {
  return calls_of(function) % 64 == 63;
}

double blas_least_on_device(const blas_call *call) {
  const blas_model *m = &blas.model;
  double gpu = compute_on(WHERE_GPU, call);
  if (gpu < 0 || !(m->upload > 0))
    return -1;
  if (gpu < m->latency)
    gpu = m->latency;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const blas_operand *o = &call->operands[i];
    if (o->writes)
      gpu += (double)operand_bytes(o) * m->download;
  }
  return gpu;
}

/// True if the processor is faster even where nothing is copied but the result:
/// most calls of a program, for which operands need not be looked up.
static int is_hopeless(const blas_call *call) {
  const double cpu = compute_on(WHERE_CPU, call);
  const double gpu = blas_least_on_device(call);
  // The processor shows first what it can do; a solver must be measured.
  if (cpu < 0 || gpu < 0)
    return 1;
  const int is_known = known_on(WHERE_GPU, call) >= 1;
  return gpu > 4 * cpu ||
         (gpu > 0.9 * cpu && is_known && !is_turn_to_explore(call->function));
}

static int decide(const blas_call *call, const estimate *e) {
  if (blas.settings.least_work > 0)
    return !call->is_level_2 ||
           (e->matrix_stays && !blas.settings.is_deterministic);
  if (e->cpu < 0)
    return 0; // the processor shows first what it can do
  const int is_faster = e->gpu < 0.9 * e->cpu;
  const int where = is_faster ? WHERE_CPU : WHERE_GPU;
  const double known = known_on(where, call);
  // The other side is tried where it was never seen, and now and then.
  if ((known < 1 || is_turn_to_explore(call->function)) &&
      e->gpu < 4 * e->cpu &&
      may_explore(is_faster ? e->cpu - e->gpu : e->gpu - e->cpu))
    return !is_faster;
  return is_faster;
}

/// True where the device has not loaded the function's code, and a thread of
/// ours is to load it: not for a call that saves much more than that takes.
static int is_cold(const blas_call *call, const estimate *e) {
  const int saves_much = e->cpu - e->gpu >= blas.settings.worth / 2;
  return blas.settings.least_work <= 0 &&
         !blas.warm[call->rated_as[WHERE_GPU]] && !saves_much;
}

static int is_worth_warming(const blas_call *call, const estimate *e) {
  return e->cpu >= 0 &&
         (e->gpu < 0.9 * e->cpu ||
          (known_on(WHERE_GPU, call) < 1 && e->gpu < 4 * e->cpu));
}

/// With the notes' lock, which is not held while code is loaded.
static int may_go(const blas_call *call, const estimate *e,
                  operand_entry *const *entries) {
  if (is_cold(call, e)) {
    if (!is_worth_warming(call, e))
      return 0;
    pthread_mutex_unlock(&blas.notes);
    const int is_loaded = blas_warm_up(call, entries);
    pthread_mutex_lock(&blas.notes);
    if (!is_loaded)
      return 0;
  }
  return decide(call, e);
}

/// The operands go to the device, cuBLAS computes, the result comes back.
/// `times`: when each has ended.
static int execute(const blas_call *call, operand_entry **entries,
                   double *times, size_t *up, size_t *down, int *lost) {
  blas_argument arguments[MOST_ARGUMENTS];
  memcpy(arguments, call->arguments, call->argument_count * sizeof *arguments);
  int error = 0;
  for (unsigned i = 0; i < call->operand_count; ++i) {
    const blas_operand *o = &call->operands[i];
    if (o->source)
      continue;
    error = operand_bring(&blas.operands, entries[i], o, up);
    if (error)
      return error;
    arguments[o->place].array = entries[i]->device;
    if (o->pitch_place)
      arguments[o->pitch_place].integer =
          (int)(entries[i]->shape.device_pitch / o->element);
  }
  times[0] = blas_now();
  error = call->is_solver
              ? solver_call(&blas.device, call->function, arguments)
              : device_call(&blas.device, call->function, arguments);
  times[1] = blas_now();
  int is_changed = 0; // an operand that the function reads
  for (unsigned i = 0; !error && i < call->operand_count; ++i) {
    const blas_operand *o = &call->operands[i];
    if (!o->writes)
      continue;
    // A part of it may be there after an error: it can be computed again only
    // if the function does not read it.
    is_changed |= o->reads;
    const operand_entry *source = entries[o->source ? o->source - 1u : i];
    error = operand_take(&blas.operands, entries[i], o, source, down);
    *lost = error && is_changed;
  }
  times[2] = blas_now();
  return error;
}

static void learn(const blas_call *call, double began, const double *times,
                  size_t up, size_t down) {
  enum { ENOUGH = 1 << 20 };
  blas_model *m = &blas.model;
  const unsigned rated = call->rated_as[WHERE_GPU];
  if (blas.warm[rated])
    model_learn(m, WHERE_GPU, rated, call->work, times[1] - times[0]);
  blas.warm[rated] = 1;
  if (up >= ENOUGH)
    learn_rate(&m->upload, (times[0] - began) / (double)up);
  if (down >= ENOUGH)
    learn_rate(&m->download, (times[2] - times[1]) / (double)down);
}

static void note_failure(int error, int lost) {
  if (lost) {
    fprintf(stderr,
            "gpuexec blas: error: %s, while a result was copied back; it "
            "cannot be computed again\n",
            blas.device.error);
    abort();
  }
  if (error == DEVICE_NO_MEMORY)
    blas.statistics.no_memory += 1;
  if (error != DEVICE_FAILED)
    return;
  blas_close_failed_device();
}

/// Watching memory that was written, and time lost against the processor.
static void account(double lost) {
  blas.governor.lost += lost + blas.operands.wasted;
  blas.operands.wasted = 0;
  if (blas.settings.is_deterministic || blas.settings.least_work > 0 ||
      blas.settings.is_ungoverned)
    return;
  const double now = blas_now();
  if (!governor_stops(&blas.governor, now))
    return;
  char text[256];
  snprintf(text, sizeof text,
           "not used any more: it has cost %.3f s of a run of %.3f s against "
           "the processor",
           blas.governor.lost, now - blas.governor.began);
  blas_close_device(text);
}

static void explain(const blas_call *call, const estimate *e, int goes,
                    double seconds) {
  fprintf(stderr,
          "gpuexec blas: %s of %.3g operations: expected on the GPU %.6f s, "
          "on the processor %.6f s, %.1f MB there: %s",
          blas_function_name(call->function), call->work, e->gpu, e->cpu,
          (double)e->there / 1e6, goes ? "GPU" : "processor");
  if (goes)
    fprintf(stderr, ", %.6f s", seconds);
  fprintf(stderr, "\n");
}

static int run_on_device(const blas_call *call, operand_entry **entries,
                         const estimate *e, double began) {
  double times[3] = {0};
  size_t up = 0, down = 0;
  int lost = 0;
  const int error = execute(call, entries, times, &up, &down, &lost);
  if (error) {
    // cuBLAS has nothing for some complex matrices by rows: not tried again. A
    // solver says so of singular matrices.
    if (error == DEVICE_CANNOT_DO && !call->is_solver)
      blas.cannot_by_rows[call->function] = 1;
    note_failure(error, lost);
    account(blas_now() - began);
    return 0;
  }
  pthread_mutex_lock(&blas.notes);
  learn(call, began, times, up, down);
  function_statistics *f = &blas.statistics.functions[call->function];
  f->gpu_calls += 1;
  f->gpu_seconds += times[2] - began;
  f->expected_gpu += e->gpu;
  f->expected_cpu += e->cpu > 0 ? e->cpu : 0;
  f->copied += up + down;
  f->not_copied += e->there;
  pthread_mutex_unlock(&blas.notes);
  if (blas.settings.is_verbose)
    explain(call, e, 1, times[2] - began);
  account(e->cpu > 0 ? times[2] - began - e->cpu : 0);
  return 1;
}

int blas_try_device(blas_call *call) {
  operand_entry *entries[MOST_OPERANDS] = {NULL};
  const double began = blas_now();
  if (blas.settings.least_work <= 0) {
    pthread_mutex_lock(&blas.notes);
    const int hopeless = is_hopeless(call);
    pthread_mutex_unlock(&blas.notes);
    if (hopeless)
      return 0;
  }
  if (device_enter(&blas.device) != DEVICE_OK) {
    note_failure(DEVICE_FAILED, 0);
    return 0;
  }
  operands_next_call(&blas.operands);
  estimate e = {.cpu = -1};
  int done = 0;
  if (is_possible(call, entries)) {
    pthread_mutex_lock(&blas.notes);
    e = estimate_call(call, entries);
    const int goes = may_go(call, &e, entries);
    pthread_mutex_unlock(&blas.notes);
    if (goes) {
      done = run_on_device(call, entries, &e, began);
      call->was_tried = !done;
    } else if (blas.settings.is_verbose) {
      explain(call, &e, 0, 0);
    }
  }
  for (unsigned i = 0; !done && i < call->operand_count; ++i)
    if (entries[i]) {
      operand_done_elsewhere(entries[i], &call->operands[i]);
      if (!call->operands[i].writes && !call->operands[i].destroys &&
          (e.gpu_if_there < 0.9 * e.cpu || blas.settings.least_work > 0))
        operand_observe(&blas.operands, entries[i]);
    }
  if (!done)
    account(blas_now() - began);
  device_leave(&blas.device);
  return done;
}
