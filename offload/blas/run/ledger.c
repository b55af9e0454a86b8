//===-- offload/blas/run/ledger.c - See ledger.h --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/ledger.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/history.h"
#include "offload/blas/run/machine.h"
#include "offload/blas/run/model_file.h"
#include "offload/blas/run/next.h"
#include "offload/blas/run/settings.h"
#include "offload/blas/run/statistics.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 64 };
enum { NOT_ASKED, ASKED, DONE }; // of measuring

static struct {
  pthread_mutex_t lock; ///< of all members that are not atomic
  double began;
  offload_model model;
  offload_statistics statistics;
  run_gains gains;
  double lost;     ///< seconds that the device took longer than the processor
  double tried;    ///< seconds that trials have cost at most
  int has_gained;  ///< the device has saved time in a run with other arguments
  int is_prepared; ///< the model and the program's history were read
  int is_worth_opening; ///< atomic
  int promises_gain;    ///< atomic: by the last run with these arguments
  /// Arrays that calls on the processor have used. One that is used again would
  /// stay on the device.
  struct {
    const void *address;
    size_t size;
  } arrays[REMEMBERED];
  unsigned next_array;
  // For each solver, by the number of the function whose rate on the GPU it
  // has:
  double spent[MOST_FUNCTIONS]; ///< seconds of the processor
  char measuring[MOST_FUNCTIONS];
  int is_measuring; ///< a background thread measures
  char machine[1000];
  kept_files kept; ///< of this machine: the model and the history
  history_keys program;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void take(void) { pthread_mutex_lock(&own.lock); }
static void give_back(void) { pthread_mutex_unlock(&own.lock); }

double ledger_run_seconds(void) { return seconds_now() - own.began; }

void ledger_start(void) {
  own.began = seconds_now();
  if (told()->is_off)
    ledger_set_state("no device: off, or no driver of a GPU is there");
  else
    ledger_set_state("not asked: it would have saved less than %g s",
                     told()->worth);
}

void ledger_in_child(void) {
  pthread_mutex_init(&own.lock, NULL);
  memset(own.statistics.functions, 0, sizeof own.statistics.functions);
  own.statistics.busy = own.statistics.no_memory = 0;
  own.statistics.child = 1;
  own.is_measuring = 0;
  own.began = seconds_now();
}

static void set_state(const char *format, va_list arguments) {
  vsnprintf(own.statistics.state, sizeof own.statistics.state, format,
            arguments);
}

void ledger_set_state(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  take();
  set_state(format, arguments);
  give_back();
  va_end(arguments);
}

void ledger_note_busy(void) {
  take();
  own.statistics.busy += 1;
  give_back();
}

void ledger_note_no_memory(void) {
  take();
  own.statistics.no_memory += 1;
  give_back();
}

//===-- What is known before a device is opened ----------------------------===//

static int promises_gain(uint64_t key, int *is_known) {
  run_record record;
  *is_known = history_find(&own.kept, key, &record);
  return *is_known && record_promises_gain(&record, told()->worth);
}

static void prepare(void) {
  if (own.is_prepared)
    return;
  own.is_prepared = 1;
  if (sizes_decide(told()))
    return;
  describe_machine(own.machine, sizeof own.machine, told(), next_library());
  own.kept = find_kept_files(told()->model, own.machine);
  model_load(&own.model, &own.kept, own.machine);
  own.program = find_history_keys();
  int is_known, is_program_known;
  if (promises_gain(own.program.run, &is_known)) {
    __atomic_store_n(&own.is_worth_opening, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&own.promises_gain, 1, __ATOMIC_RELAXED);
  }
  own.has_gained =
      !is_known && promises_gain(own.program.program, &is_program_known);
}

int ledger_is_worth_opening(void) {
  return __atomic_load_n(&own.is_worth_opening, __ATOMIC_RELAXED);
}

int ledger_promises_gain(void) {
  return __atomic_load_n(&own.promises_gain, __ATOMIC_RELAXED);
}

static double upload_of(const operand *o) {
  return o->reads ? (double)operand_bytes(o) * own.model.upload : 0;
}

static double least_on_device(const offload_call *call) {
  size_t results = 0;
  for (unsigned i = 0; i < call->operand_count; ++i)
    results += call->operands[i].writes ? operand_bytes(&call->operands[i]) : 0;
  return least_on_gpu(&own.model, &call->rated, results);
}

static double compute_on_cpu(const offload_call *call) {
  return model_compute(&own.model, WHERE_CPU, call->rated.rated_as[WHERE_CPU],
                       call->rated.work);
}

static double known_on(int where, const offload_call *call) {
  return model_known(&own.model, where, call->rated.rated_as[where],
                     call->rated.work);
}

double ledger_saved_by(const offload_call *call) {
  double saved = 0;
  if (sizes_decide(told()) || call->is_level_2 ||
      !can_save(call->rated.work, told()->worth))
    return 0;
  take();
  prepare();
  double gpu = least_on_device(call);
  // Without a call of its own the function's rate is taken from another one,
  // which may be limited by memory and not by computing.
  if (gpu >= 0 && model_most_known(&own.model, WHERE_CPU,
                                   call->rated.rated_as[WHERE_CPU]) >= 1) {
    for (unsigned i = 0; i < call->operand_count; ++i)
      gpu += upload_of(&call->operands[i]);
    saved = saved_by_call(compute_on_cpu(call), gpu, told()->worth);
  }
  give_back();
  return saved;
}

int ledger_knows_gpu(const char *name, int driver) {
  if (sizes_decide(told()))
    return 1;
  char gpu[MODEL_GPU];
  snprintf(gpu, sizeof gpu, "%s, CUDA %d", name, driver);
  take();
  prepare();
  model_be_of(&own.model, gpu);
  const int has_rates = own.model.upload > 0;
  give_back();
  return has_rates;
}

void ledger_add_measured(const offload_model *measured) {
  take();
  model_add(&own.model, measured);
  give_back();
}

void ledger_note_device(const char *name, const char *unwatched,
                        double seconds) {
  offload_statistics *s = &own.statistics;
  take();
  snprintf(s->device, sizeof s->device, "%s", name);
  snprintf(s->cache, sizeof s->cache, "%s", unwatched ? unwatched : "");
  snprintf(s->state, sizeof s->state, "opened in %.2f s, at %.2f s of the run",
           seconds, ledger_run_seconds());
  give_back();
}

//===-- Calls on the processor ---------------------------------------------===//

/// Has an earlier call on the processor used this array? Remembers it.
static int was_seen(const operand *o) {
  const size_t size = operand_bytes(o);
  for (unsigned i = 0; i < REMEMBERED; ++i)
    if (own.arrays[i].address == o->address && own.arrays[i].size == size)
      return 1;
  own.arrays[own.next_array].address = o->address;
  own.arrays[own.next_array].size = size;
  own.next_array = (own.next_array + 1) % REMEMBERED;
  return 0;
}

static void count_for_opening(const offload_call *call, double seconds,
                              int has_device) {
  own.gains.candidate += seconds;
  if (!gains_are_noticeable(&own.gains) || has_device)
    return; // with a device, `lost` tells more than these guesses
  prepare();
  double gpu = least_on_device(call);
  for (unsigned i = 0; gpu >= 0 && i < call->operand_count; ++i)
    if (!was_seen(&call->operands[i]))
      gpu += upload_of(&call->operands[i]);
  gains_add(&own.gains, seconds, gpu);
  if (gains_worth(&own.gains, told()->worth) > 0 &&
      is_long_enough(ledger_run_seconds(), told()->opening, own.has_gained))
    __atomic_store_n(&own.is_worth_opening, 1, __ATOMIC_RELAXED);
}

int ledger_note_cpu(const offload_call *call, double seconds, double own_part,
                    int is_disturbed, int has_device) {
  int is_counted = 0;
  take();
  function_statistics *f = &own.statistics.functions[call->function];
  f->cpu_calls += 1;
  f->cpu_seconds += seconds;
  if (call->is_candidate && (!is_disturbed || known_on(WHERE_CPU, call) < 1)) {
    is_counted = counts_for_opening(call->rated.work, call->is_level_2);
    if (is_counted)
      count_for_opening(call, own_part, has_device);
    model_learn(&own.model, WHERE_CPU, call->rated.rated_as[WHERE_CPU],
                call->rated.work, seconds);
  }
  if (call->is_solver)
    own.spent[call->rated.rated_as[WHERE_GPU]] += seconds;
  give_back();
  return is_counted;
}

//===-- Calls for the device -----------------------------------------------===//

static call_facts facts_of(const offload_call *call) {
  const function_statistics *f = &own.statistics.functions[call->function];
  return (call_facts){
      .known = {known_on(WHERE_CPU, call), known_on(WHERE_GPU, call)},
      .calls = f->cpu_calls + f->gpu_calls,
      .may_cost = left_for_trials(ledger_run_seconds(), own.tried),
      .is_level_2 = call->is_level_2};
}

int ledger_is_hopeless(const offload_call *call) {
  if (sizes_decide(told()))
    return 0;
  take();
  const call_facts facts = facts_of(call);
  const int answer =
      is_hopeless(compute_on_cpu(call), least_on_device(call), &facts);
  give_back();
  return answer;
}

call_place ledger_decide(const offload_call *call, const operand_cost *operands,
                         int matrix_stays, int is_loaded, call_costs *costs) {
  take();
  call_facts facts = facts_of(call);
  facts.matrix_stays = matrix_stays;
  facts.is_loaded = is_loaded;
  *costs =
      estimate_costs(&own.model, &call->rated, operands, call->operand_count);
  const call_decision decision = decide(told(), costs, &facts);
  own.tried += decision.tries;
  give_back();
  return decision.place;
}

void ledger_note_gpu(const offload_call *call, const call_costs *costs,
                     const call_times *times, int was_loaded) {
  enum {
    ENOUGH = 1 << 20
  }; // bytes; copies of fewer do not tell how fast copies are
  take();
  offload_model *m = &own.model;
  if (was_loaded)
    model_learn(m, WHERE_GPU, call->rated.rated_as[WHERE_GPU], call->rated.work,
                times->computed - times->copied);
  if (times->up >= ENOUGH)
    learn_rate(&m->upload, (times->copied - times->began) / (double)times->up);
  if (times->down >= ENOUGH)
    learn_rate(&m->download,
               (times->ended - times->computed) / (double)times->down);
  function_statistics *f = &own.statistics.functions[call->function];
  f->gpu_calls += 1;
  f->gpu_seconds += times->ended - times->began;
  f->expected_gpu += costs->gpu;
  f->expected_cpu += costs->cpu > 0 ? costs->cpu : 0;
  f->copied += times->up + times->down;
  f->not_copied += costs->there;
  give_back();
}

int ledger_account(double lost, char *why, size_t size) {
  take();
  own.lost += lost;
  const double run = ledger_run_seconds();
  const int is_too_much = !told()->is_deterministic && !sizes_decide(told()) &&
                          !told()->is_ungoverned &&
                          costs_too_much(own.lost, run);
  snprintf(why, size,
           "not used any more: it has cost %.3f s of a run of %.3f s against "
           "the processor",
           own.lost, run);
  give_back();
  return is_too_much;
}

//===-- Functions of LAPACK that are measured ------------------------------===//

int ledger_asks_for_measuring(const offload_call *call, double more) {
  const unsigned function = call->rated.rated_as[WHERE_GPU];
  int starts = 0;
  take();
  if (!sizes_decide(told()) && own.measuring[function] == NOT_ASKED) {
    const solver_facts facts = {
        .spent = own.spent[function] + more,
        .known = model_most_known(&own.model, WHERE_GPU, function),
        .is_kept = *own.kept.folder != '\0',
        .run = ledger_run_seconds()};
    const measuring_decision what = decide_measuring(&facts, told()->worth);
    if (what != NOT_YET)
      own.measuring[function] = what == MEASURE ? ASKED : DONE;
    starts = what == MEASURE &&
             !own.is_measuring; // the thread that measures now will find it
    own.is_measuring |= starts;
  }
  give_back();
  return starts;
}

unsigned ledger_take_function(void) {
  take();
  unsigned function = 0;
  while (function < MOST_FUNCTIONS && own.measuring[function] != ASKED)
    ++function;
  if (function < MOST_FUNCTIONS)
    own.measuring[function] = DONE;
  else
    own.is_measuring = 0;
  give_back();
  return function;
}

void ledger_stop_measuring(void) {
  take();
  own.is_measuring = 0;
  give_back();
}

void ledger_expect(unsigned function, double work, double seconds) {
  take();
  model_expect(&own.model, WHERE_GPU, function, work, seconds);
  give_back();
}

void ledger_limit(unsigned function, double work, double seconds) {
  take();
  model_limit(&own.model, WHERE_GPU, function, work, seconds);
  give_back();
}

//===-- The end ------------------------------------------------------------===//

static void keep_gain(uint64_t key, run_end end, double seconds) {
  const double gain = gain_of_run(end, &own.gains, own.lost);
  run_record record;
  if (!history_find(&own.kept, key, &record) && gain < told()->worth)
    return;
  record_run(&record, gain, seconds, *own.statistics.device != '\0');
  history_note(&own.kept, key, &record);
}

static void keep(run_end end) {
  if (!*own.kept.folder || own.statistics.child || sizes_decide(told()))
    return;
  // Other processes may have learned meanwhile.
  offload_model *kept = calloc(1, sizeof *kept);
  if (kept && model_load(kept, &own.kept, own.machine)) {
    if (*own.statistics.device)
      model_be_of(kept, own.model.gpu);
    else // without a device nothing new is known of the GPU
      model_take_gpu(&own.model, kept);
    model_add(&own.model, kept);
  }
  free(kept);
  model_save(&own.model, &own.kept, own.machine);
  keep_gain(own.program.run, end, own.statistics.seconds);
  keep_gain(own.program.program, end, 0);
}

/// Notes for the statistics that the device was not opened because the run
/// might have ended soon.
static void tell_of_short_run(void) {
  const double saved = gains_worth(&own.gains, told()->worth);
  int is_known;
  if (saved > 0)
    snprintf(own.statistics.state, sizeof own.statistics.state,
             "not asked: a short run; up to %.1f s would have been saved%s",
             saved,
             promises_gain(own.program.run, &is_known)
                 ? ", and the next run has the device at once"
                 : "");
}

static int has_calls(void) {
  for (unsigned i = 0; i < offload_function_count(); ++i)
    if (own.statistics.functions[i].cpu_calls +
        own.statistics.functions[i].gpu_calls)
      return 1;
  return 0;
}

int ledger_is_in_use(void) { return *own.kept.folder != '\0'; }

void ledger_end(run_end end, int was_asked, double seconds) {
  take(); // the thread that measures may be storing a result
  own.statistics.seconds = seconds;
  own.statistics.saved = own.lost < 0 ? -own.lost : 0;
  snprintf(own.statistics.library, sizeof own.statistics.library, "%s",
           next_library());
  keep(end);
  if (!was_asked)
    tell_of_short_run();
  give_back();
  if (told()->stats && has_calls())
    write_statistics(&own.statistics, told()->stats);
}
