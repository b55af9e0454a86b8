//===-- offload/blas/intercept.c - See intercept.h and state.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/intercept.h"
#include "offload/blas/background.h"
#include "offload/blas/next.h"
#include "offload/blas/state.h"
#include "offload/blas/worth.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

blas_process blas = {.lock = PTHREAD_MUTEX_INITIALIZER,
                     .notes = PTHREAD_MUTEX_INITIALIZER,
                     .loading = PTHREAD_MUTEX_INITIALIZER};
double blas_passing[2] = {INFINITY, INFINITY};

/// Of a call that the program's BLAS does in this thread: calls inside it are
/// part of it.
static _Thread_local int is_inside __attribute__((tls_model("initial-exec")));
/// This thread forks, and holds blas.loading: no library is loaded meanwhile.
static _Thread_local int keeps_loading
    __attribute__((tls_model("initial-exec")));
/// Seconds of this thread's calls so far: of a function of LAPACK those that
/// its inner calls took do not count again.
static _Thread_local double noted __attribute__((tls_model("initial-exec")));

/// Operations of a product of a matrix and a vector: the processor has smaller
/// matrices in its caches.
static const double WORTH_OPENING_FOR = 2e7;
/// Operations below which no GPU wins: starting a function there and copying
/// the result back take as long on the processor.
static const double LEAST_WORK = 3e7, LEAST_WORK_OF_LEVEL_2 = 4e6;

void blas_be_inside(int is) { is_inside = is; }

double blas_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int wants_statistics(void) { return blas.settings.stats != NULL; }

static void let_pass(double limit, double limit_of_level_2) {
  __atomic_store(&blas_passing[0], &limit, __ATOMIC_RELAXED);
  __atomic_store(&blas_passing[1], &limit_of_level_2, __ATOMIC_RELAXED);
}

void blas_close_device(const char *reason) {
  snprintf(blas.statistics.state, sizeof blas.statistics.state, "%s", reason);
  __atomic_store_n(&blas.state, DEVICE_CLOSED, __ATOMIC_RELEASE);
  if (!wants_statistics())
    let_pass(INFINITY, INFINITY);
  if (blas.settings.is_verbose)
    fprintf(stderr, "gpuexec blas: %s\n", reason);
}

void blas_close_failed_device(void) {
  char text[256];
  snprintf(text, sizeof text, "not used any more: %s", blas.device.error);
  blas_close_device(text);
}

static double least_work(int is_level_2) {
  const double told = blas.settings.least_work;
  if (is_level_2)
    return told > 0 && told < LEAST_WORK_OF_LEVEL_2 ? told
                                                    : LEAST_WORK_OF_LEVEL_2;
  return told > 0 ? told : LEAST_WORK;
}

int blas_is_candidate(blas_call *call, unsigned function, double work,
                      int is_level_2) {
  call->is_candidate = 0;
  call->is_solver = call->was_tried = 0;
  call->quiet = 0;
  if (is_inside)
    return 0;
  call->function = function;
  call->rated_as[WHERE_CPU] = call->rated_as[WHERE_GPU] = function;
  call->work = work;
  call->is_level_2 = is_level_2;
  const double least = least_work(is_level_2);
  call->is_candidate = work >= least && work > 0;
  if (call->is_candidate)
    return 1;
  if (wants_statistics()) {
    is_inside = 1;
    call->began = blas_now();
  }
  return 0;
}

/// With a size that was told, or where results must repeat, the first call that
/// is large enough waits for the device.
static void open_if_worth_it(const blas_call *call) {
  if (__atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE))
    return;
  const int is_worth_it = __atomic_load_n(&blas.is_worth_it, __ATOMIC_RELAXED);
  if (blas.settings.least_work > 0 || (blas.settings.waits && is_worth_it)) {
    blas_be_inside(1);
    pthread_mutex_lock(&blas.lock);
    if (__atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_NOT_ASKED)
      blas_open_now();
    pthread_mutex_unlock(&blas.lock);
    blas_be_inside(0);
  } else if (is_worth_it || worth_of_waiting(call) > 0) {
    blas_start_opening();
  }
}

/// True with the mutex, for which it waits so many seconds at most.
static int lock_within(pthread_mutex_t *mutex, int seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  return pthread_mutex_timedlock(mutex, &until) == 0;
}

/// True with the lock. Where it is taken the processor does the call, unless
/// results must repeat, or it would save more than the others take with it.
static int take_lock(const blas_call *call) {
  if (blas.settings.is_deterministic)
    return pthread_mutex_lock(&blas.lock) == 0;
  if (pthread_mutex_trylock(&blas.lock) == 0)
    return 1;
  if (worth_of_waiting(call) >= LONGEST_WAIT &&
      lock_within(&blas.lock, LONGEST_WAIT))
    return 1;
  __atomic_fetch_add(&blas.statistics.busy, 1, __ATOMIC_RELAXED);
  return 0;
}

/// Eigenvalues of 2000 rows may take the processor seconds: they are measured
/// beside the first call, not after it.
static void measure_if_long(const blas_call *call) {
  static const double OPERATIONS_OF_A_CORE = 2e10; // in a second
  pthread_mutex_lock(&blas.notes);
  const int asks =
      blas_asks_for_measuring(call, call->work / OPERATIONS_OF_A_CORE);
  pthread_mutex_unlock(&blas.notes);
  if (asks)
    blas_start_measuring();
}

int blas_begin(blas_call *call) {
  if (__atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_NOT_ASKED)
    open_if_worth_it(call);
  worth_wait_for_opening(call);
  is_inside = 1; // of our own stand-ins, too
  if (__atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_READY &&
      take_lock(call)) {
    const int done =
        __atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_READY &&
        blas_try_device(call);
    pthread_mutex_unlock(&blas.lock);
    if (done) {
      is_inside = 0;
      return 1;
    }
  }
  if (call->is_solver)
    measure_if_long(call);
  // The parts of a function of LAPACK may be worth the device, though it is not
  // as a whole. What the device could not do is not tried in parts.
  is_inside = !call->is_solver || call->was_tried;
  call->quiet = background_quiet();
  call->noted = noted;
  call->began = blas_now();
  return 0;
}

/// Does the model know how long the processor needs for it?
static int is_known_there(const blas_call *call) {
  return model_known(&blas.model, WHERE_CPU, call->rated_as[WHERE_CPU],
                     call->work) >= 1;
}

static void note(const blas_call *call, double seconds) {
  const double own = seconds - (noted - call->noted);
  worth_note(call, own > 0 ? own : 0);
  noted = call->noted + seconds;
}

void blas_finish(blas_call *call) {
  if (!(call->began > 0))
    return;
  const double seconds = blas_now() - call->began;
  is_inside = 0;
  pthread_mutex_lock(&blas.notes);
  function_statistics *f = &blas.statistics.functions[call->function];
  f->cpu_calls += 1;
  f->cpu_seconds += seconds;
  // A thread of ours takes a processor from the program's BLAS meanwhile: what
  // calls take then would make the device look better than it is.
  const int is_disturbed = !call->quiet || background_quiet() != call->quiet;
  if (call->is_candidate && (!is_disturbed || !is_known_there(call))) {
    if (!call->is_level_2 || call->work >= WORTH_OPENING_FOR)
      note(call, seconds);
    model_learn(&blas.model, WHERE_CPU, call->rated_as[WHERE_CPU], call->work,
                seconds);
  }
  if (call->is_solver)
    blas.spent[call->rated_as[WHERE_GPU]] += seconds;
  const int asks =
      call->is_candidate && call->is_solver && blas_asks_for_measuring(call, 0);
  pthread_mutex_unlock(&blas.notes);
  if (asks)
    blas_start_measuring();
}

/// A child whose parent was loading a library would wait for ever where it
/// loads one itself. (The driver's own start may fork, in the thread that
/// loads.) The wait is bounded: glibc before 2.36 keeps its list of fork
/// handlers locked meanwhile, and a library that is being loaded may add one.
static void before_fork(void) {
  enum { SECONDS = 2 };
  keeps_loading = !is_inside && lock_within(&blas.loading, SECONDS);
}
static void in_parent(void) {
  if (keeps_loading)
    pthread_mutex_unlock(&blas.loading);
  keeps_loading = 0;
}

/// CUDA does not survive fork(): a child computes on the processor.
static void in_child(void) {
  pthread_mutex_init(&blas.lock, NULL);
  pthread_mutex_init(&blas.notes, NULL);
  pthread_mutex_init(&blas.loading, NULL);
  memset(blas.statistics.functions, 0, sizeof blas.statistics.functions);
  blas.statistics.busy = blas.statistics.no_memory = 0;
  blas.statistics.child = 1;
  blas.governor.began = blas_now();
  __atomic_store_n(&blas.background, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&blas.is_measuring, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&blas.is_warming, 0, __ATOMIC_RELEASE);
  const int is_verbose = blas.settings.is_verbose;
  blas.settings.is_verbose = 0;
  blas_close_device("not used in a child");
  blas.settings.is_verbose = is_verbose;
}

__attribute__((constructor)) static void start(void) {
  blas.settings = read_blas_settings();
  blas.governor.began = blas_now();
  if (blas.settings.is_off) {
    blas.state = DEVICE_CLOSED;
    snprintf(blas.statistics.state, sizeof blas.statistics.state,
             "no device: off, or no driver of a GPU is there");
  } else {
    snprintf(blas.statistics.state, sizeof blas.statistics.state,
             "not asked: it would have saved less than %g s",
             blas.settings.worth);
    pthread_atfork(before_fork, in_parent, in_child);
  }
  if (wants_statistics())
    let_pass(0, 0);
  else if (!blas.settings.is_off)
    let_pass(least_work(0), least_work(1));
}

static int has_calls(void) {
  for (unsigned i = 0; i < blas_function_count(); ++i)
    if (blas.statistics.functions[i].cpu_calls +
        blas.statistics.functions[i].gpu_calls)
      return 1;
  return 0;
}

/// The device was not opened because the run might have ended soon after.
static void tell_of_short_run(void) {
  const double saved = worth_of_run();
  if (!(saved > 0) ||
      __atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) != DEVICE_NOT_ASKED)
    return;
  const char *next = blas_gains(blas.program.run) > 0
                         ? ", and the next run has the device at once"
                         : "";
  snprintf(blas.statistics.state, sizeof blas.statistics.state,
           "not asked: a short run; up to %.1f s would have been saved%s",
           saved, next);
}

__attribute__((destructor)) static void end(void) {
  if (isinf(blas_passing[0]) && !*blas.model_file)
    return;
  const double now = blas_now();
  background_wait();
  if (__atomic_load_n(&blas.state, __ATOMIC_ACQUIRE) == DEVICE_OPENING) {
    blas.was_cut_off = 1;
    snprintf(blas.statistics.state, sizeof blas.statistics.state,
             "was being opened when the program ended");
  }
  let_pass(INFINITY, INFINITY);
  blas.statistics.seconds = now - blas.governor.began;
  blas.statistics.saved = blas.governor.lost < 0 ? -blas.governor.lost : 0;
  snprintf(blas.statistics.library, sizeof blas.statistics.library, "%s",
           blas_next_library());
  pthread_mutex_lock(&blas.notes); // a measurement may end now
  worth_keep();
  tell_of_short_run();
  pthread_mutex_unlock(&blas.notes);
  if (wants_statistics() && has_calls())
    write_statistics(&blas.statistics, blas.settings.stats);
}
