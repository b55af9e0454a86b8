//===-- blas/intercept/background.c - See background.h ---------------------===//
#include "blas/intercept/background.h"
#include "blas/intercept/state.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static _Thread_local int drops __attribute__((tls_model("initial-exec")));

int background_start(void *(*run)(void *)) {
  // Signals are the program's: its handlers run in its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  __atomic_fetch_add(&blas.background, 1, __ATOMIC_ACQ_REL);
  __atomic_fetch_add(&blas.background_started, 1, __ATOMIC_ACQ_REL);
  const int error = pthread_create(&thread, NULL, run, NULL);
  if (error)
    background_ends();
  else
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return !error;
}

unsigned background_quiet(void) {
  const unsigned started =
      __atomic_load_n(&blas.background_started, __ATOMIC_ACQUIRE);
  const int runs = __atomic_load_n(&blas.background, __ATOMIC_ACQUIRE) > 0;
  return runs ? 0 : started + 1;
}

void background_ends(void) {
  __atomic_fetch_sub(&blas.background, 1, __ATOMIC_ACQ_REL);
}

void background_wait(void) {
  const struct timespec pause = {0, 1000000};
  __atomic_store_n(&blas.stopping, 1, __ATOMIC_RELEASE);
  const double until = blas_now() + LONGEST_WAIT;
  while (__atomic_load_n(&blas.background, __ATOMIC_ACQUIRE) > 0 &&
         blas_now() < until)
    nanosleep(&pause, NULL);
}

void background_guard_end(void) {
  static int is_guarded;
  if (!__atomic_exchange_n(&is_guarded, 1, __ATOMIC_ACQ_REL))
    atexit(background_wait);
}

int background_drops_destructors(int is) {
  const int was = drops;
  drops = is;
  return was;
}

typedef int exit_function(void (*)(void *), void *, void *);

/// The C++ ABI's (Itanium C++ ABI 3.3.6.3), before the C library's.
__attribute__((visibility("default"))) int
__cxa_atexit(void (*function)(void *), void *argument, void *library) {
  static exit_function *next;
  if (drops)
    return 0;
  exit_function *now = __atomic_load_n(&next, __ATOMIC_ACQUIRE);
  if (!now) {
    *(void **)&now = dlsym(RTLD_NEXT, "__cxa_atexit");
    __atomic_store_n(&next, now, __ATOMIC_RELEASE);
  }
  return now ? now(function, argument, library) : -1;
}
