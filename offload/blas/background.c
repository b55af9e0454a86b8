//===-- offload/blas/background.c - See background.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/background.h"
#include "offload/blas/state.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Thread_local int drops __attribute__((tls_model("initial-exec")));

int background_start(void *(*run)(void *)) {
  if (__atomic_load_n(&blas.stopping, __ATOMIC_ACQUIRE))
    return 0;
  blas.background_process = (int)getpid();
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
  if (!(blas.wait_until > 0))
    blas.wait_until = blas_now() + LONGEST_WAIT;
  // A child that was made without fork()'s handlers has none of the threads.
  while (__atomic_load_n(&blas.background, __ATOMIC_ACQUIRE) > 0 &&
         blas.background_process == (int)getpid() &&
         blas_now() < blas.wait_until)
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

/// Is it one of NVIDIA's libraries, by the handle that it has for itself?
static int is_of_device(const void *library) {
  Dl_info info;
  if (!library || !dladdr(library, &info) || !info.dli_fname)
    return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *name = slash ? slash + 1 : info.dli_fname;
  return !strncmp(name, "libcu", 5) || !strncmp(name, "libnv", 5);
}

/// The C++ ABI's (Itanium C++ ABI 3.3.6.3), before the C library's.
__attribute__((visibility("default"))) int
__cxa_atexit(void (*function)(void *), void *argument, void *library) {
  static exit_function *next;
  if (drops && is_of_device(library))
    return 0;
  exit_function *now = __atomic_load_n(&next, __ATOMIC_ACQUIRE);
  if (!now) {
    *(void **)&now = dlsym(RTLD_NEXT, "__cxa_atexit");
    __atomic_store_n(&next, now, __ATOMIC_RELEASE);
  }
  return now ? now(function, argument, library) : -1;
}
