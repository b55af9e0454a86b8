//===-- offload/blas/run/calls.c - See call.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/background.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/execution.h"
#include "offload/blas/run/ledger.h"
#include "offload/blas/run/loading.h"
#include "offload/blas/run/measuring.h"
#include "offload/blas/run/opening.h"
#include "offload/blas/run/settings.h"
#include <math.h>
#include <pthread.h>

/// Operations of a function of LAPACK that one core does in a second.
static const double OPERATIONS_OF_A_CORE = 2e10;

/// Seconds that this thread's calls have taken so far. Calls that a function of
/// LAPACK makes inside are not counted a second time.
static _Thread_local double noted __attribute__((tls_model("initial-exec")));

int offload_is_candidate(offload_call *call, unsigned function, double work,
                         int is_level_2) {
  call->is_candidate = call->is_solver = call->was_tried = 0;
  call->quiet = 0;
  if (is_inside())
    return 0;
  call->function = function;
  call->rated = (rated_call){{function, function}, work};
  call->is_level_2 = is_level_2;
  call->is_candidate = work >= least_work(told(), is_level_2) && work > 0;
  if (!call->is_candidate && told()->stats) {
    be_inside(1);
    call->began = seconds_now();
  }
  return call->is_candidate;
}

/// With --min-size or --deterministic, the first call that is large enough
/// waits until the device is open.
static void open_if_worth_it(const offload_call *call) {
  if (background_is_stopping())
    return;
  const int is_worth_it = ledger_is_worth_opening();
  if (sizes_decide(told()) || (told()->waits && is_worth_it)) {
    be_inside(1);
    gpu *g = gpu_take(GPU_NOT_ASKED);
    if (g) {
      open_device(g);
      gpu_give_back(g);
    }
    be_inside(0);
  } else if (is_worth_it || ledger_saved_by(call) > 0) {
    start_opening();
  }
}

/// Waits while the device is being opened, if this call or the run as a whole
/// is known to be worth it: calls on the processor would slow the thread that
/// opens the device by as much as they gain. Waits no longer than the call
/// would save, nor than LONGEST_WAIT: a driver may take long, and when a
/// library's constructor calls us, the opening thread cannot load libraries
/// before we return.
static void wait_while_opening(const offload_call *call) {
  static int was_in_vain; // a driver that takes long once does so again
  if (gpu_get_state() != GPU_OPENING ||
      __atomic_load_n(&was_in_vain, __ATOMIC_RELAXED))
    return;
  const double longest = wait_for_opening(
      ledger_promises_gain() ? LONGEST_WAIT : ledger_saved_by(call));
  const double until = seconds_now() + longest;
  const struct timespec pause = {0, 1000000};
  while (longest > 0 && gpu_get_state() == GPU_OPENING && seconds_now() < until)
    nanosleep(&pause, NULL);
  if (longest > 0 && gpu_get_state() == GPU_OPENING)
    __atomic_store_n(&was_in_vain, 1, __ATOMIC_RELAXED);
}

/// Takes the device if it is ready. While another thread has it, waits only if
/// results must repeat, or if the call saves more than the calls of others take
/// on it; else returns NULL, and the processor does the call.
static gpu *take_device(const offload_call *call) {
  if (gpu_get_state() != GPU_READY)
    return NULL;
  if (told()->is_deterministic)
    return gpu_take(GPU_READY);
  int is_busy;
  gpu *g = gpu_take_within(0, &is_busy);
  if (is_busy && ledger_saved_by(call) >= LONGEST_WAIT)
    g = gpu_take_within(LONGEST_WAIT, &is_busy);
  if (is_busy)
    ledger_note_busy();
  return g;
}

static void measure_if_asked(const offload_call *call, double more) {
  if (gpu_get_state() == GPU_READY && ledger_asks_for_measuring(call, more))
    start_measuring();
}

int offload_begin(offload_call *call) {
  if (gpu_get_state() == GPU_NOT_ASKED)
    open_if_worth_it(call);
  wait_while_opening(call);
  be_inside(1); // calls of the tests' stand-in for cuBLAS, too
  gpu *g = take_device(call);
  if (g) {
    const int done = try_device(g, call);
    gpu_give_back(g);
    if (done) {
      be_inside(0);
      return 1;
    }
  }
  // Starts measuring beside this first call, not after it: the eigenvalues of
  // 2000 rows may take the processor seconds.
  if (call->is_solver)
    measure_if_asked(call, call->rated.work / OPERATIONS_OF_A_CORE);
  // The inner calls of a function of LAPACK may be worth the device although
  // the whole is not. If the device could not do the whole, its inner calls are
  // not tried.
  be_inside(!call->is_solver || call->was_tried);
  call->quiet = background_quiet();
  call->noted = noted;
  call->began = seconds_now();
  return 0;
}

void offload_finish(offload_call *call) {
  if (!(call->began > 0))
    return;
  const double seconds = seconds_now() - call->began;
  const double own = seconds - (noted - call->noted);
  const int is_disturbed = !call->quiet || background_quiet() != call->quiet;
  if (ledger_note_cpu(call, seconds, own > 0 ? own : 0, is_disturbed,
                      gpu_get_state() == GPU_READY))
    noted = call->noted + seconds;
  if (call->is_candidate && call->is_solver) {
    be_inside(1);
    measure_if_asked(call, 0);
  }
  be_inside(0);
}

/// CUDA does not survive fork(): a child computes on the processor.
static void in_child(void) {
  background_in_child();
  ledger_in_child();
  loading_in_child();
  gpu_in_child();
}

__attribute__((constructor)) static void start(void) {
  read_settings();
  ledger_start();
  if (told()->is_off)
    gpu_be_off();
  else
    pthread_atfork(background_before_fork, background_in_parent, in_child);
  if (told()->stats)
    let_pass(0, 0);
  else if (!told()->is_off)
    let_pass(least_work(told(), 0), least_work(told(), 1));
}

__attribute__((destructor)) static void end(void) {
  if (isinf(offload_passing[0]) && !ledger_is_in_use())
    return;
  const double seconds = ledger_run_seconds();
  background_wait();
  const gpu_state state = gpu_get_state();
  if (state == GPU_OPENING)
    ledger_set_state("was being opened when the program ended");
  let_pass(INFINITY, INFINITY);
  const int is_given_up = state == GPU_CLOSED && !opening_was_cut_off();
  ledger_end(is_given_up          ? DEVICE_WAS_NO_GAIN
             : state == GPU_READY ? RUN_WITH_DEVICE
                                  : RUN_WITHOUT_DEVICE,
             state != GPU_NOT_ASKED, seconds);
}
