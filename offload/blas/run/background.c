//===-- offload/blas/run/background.c - See background.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/background.h"
#include "offload/blas/policy/opening.h"
#include "offload/blas/run/clock.h"
#include "offload/blas/run/passing.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_WAIT_BEFORE_FORK = 2 }; // seconds

static struct {
  pthread_mutex_t loading; ///< held while libraries are loaded
  int stopping;            ///< atomic: the process ends
  double
      wait_until; ///< when the end of the process stops waiting; 0: no end yet
  int process;    ///< that has started the threads
  int running;    ///< atomic: threads of ours
  unsigned started; ///< atomic: how many have been started
} own = {.loading = PTHREAD_MUTEX_INITIALIZER};

/// True while this thread forks; it holds own.loading then.
static _Thread_local int keeps_loading
    __attribute__((tls_model("initial-exec")));

static void *run_inside(void *function) {
  void (*run)(void);
  *(void **)&run = function;
  be_inside(1);
  run();
  __atomic_fetch_sub(&own.running, 1, __ATOMIC_ACQ_REL);
  return NULL;
}

int background_start(void (*run)(void)) {
  if (background_is_stopping())
    return 0;
  own.process = (int)getpid();
  // Blocks all signals: handlers of the program must run in its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  __atomic_fetch_add(&own.running, 1, __ATOMIC_ACQ_REL);
  __atomic_fetch_add(&own.started, 1, __ATOMIC_ACQ_REL);
  const int error = pthread_create(&thread, NULL, run_inside, *(void **)&run);
  if (error)
    __atomic_fetch_sub(&own.running, 1, __ATOMIC_ACQ_REL);
  else
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return !error;
}

unsigned background_quiet(void) {
  const unsigned started = __atomic_load_n(&own.started, __ATOMIC_ACQUIRE);
  const int runs = __atomic_load_n(&own.running, __ATOMIC_ACQUIRE) > 0;
  return runs ? 0 : started + 1;
}

int background_is_stopping(void) {
  return __atomic_load_n(&own.stopping, __ATOMIC_ACQUIRE);
}

const int *background_stopping(void) { return &own.stopping; }

void background_wait(void) {
  const struct timespec pause = {0, 1000000};
  __atomic_store_n(&own.stopping, 1, __ATOMIC_RELEASE);
  if (!(own.wait_until > 0))
    own.wait_until = seconds_now() + LONGEST_WAIT;
  // Another process number: a child of vfork() or clone(), which runs no
  // handlers of fork() and has none of these threads.
  while (__atomic_load_n(&own.running, __ATOMIC_ACQUIRE) > 0 &&
         own.process == (int)getpid() && seconds_now() < own.wait_until)
    nanosleep(&pause, NULL);
}

void background_guard_end(void) {
  static int is_guarded;
  if (!__atomic_exchange_n(&is_guarded, 1, __ATOMIC_ACQ_REL))
    atexit(background_wait);
}

void loading_begins(void) { pthread_mutex_lock(&own.loading); }
void loading_ends(void) { pthread_mutex_unlock(&own.loading); }

void background_before_fork(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += LONGEST_WAIT_BEFORE_FORK;
  keeps_loading =
      !is_inside() && pthread_mutex_timedlock(&own.loading, &until) == 0;
}

void background_in_parent(void) {
  if (keeps_loading)
    pthread_mutex_unlock(&own.loading);
  keeps_loading = 0;
}

void background_in_child(void) {
  pthread_mutex_init(&own.loading, NULL);
  keeps_loading = 0;
  __atomic_store_n(&own.running, 0, __ATOMIC_RELEASE);
}
