//===-- offload/blas/run/gpu.c - See gpu.h --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/gpu.h"
#include "offload/blas/run/ledger.h"
#include "offload/blas/run/passing.h"
#include "offload/blas/run/settings.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>

static struct {
  pthread_mutex_t lock; ///< of `it`
  int state;            ///< gpu_state; atomic
  gpu it;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

gpu_state gpu_get_state(void) {
  return (gpu_state)__atomic_load_n(&own.state, __ATOMIC_ACQUIRE);
}

static gpu *keep_if(gpu_state state) {
  if (gpu_get_state() == state)
    return &own.it;
  pthread_mutex_unlock(&own.lock);
  return NULL;
}

gpu *gpu_take(gpu_state state) {
  pthread_mutex_lock(&own.lock);
  return keep_if(state);
}

gpu *gpu_take_within(int seconds, int *is_busy) {
  int error = pthread_mutex_trylock(&own.lock);
  if (error && seconds > 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    error = pthread_mutex_timedlock(&own.lock, &until);
  }
  *is_busy = error != 0;
  return error ? NULL : keep_if(GPU_READY);
}

void gpu_give_back(gpu *g) {
  (void)g;
  pthread_mutex_unlock(&own.lock);
}

void gpu_be_off(void) {
  __atomic_store_n(&own.state, GPU_CLOSED, __ATOMIC_RELEASE);
}

int gpu_begin_opening(void) {
  int expected = GPU_NOT_ASKED;
  return __atomic_compare_exchange_n(&own.state, &expected, GPU_OPENING, 0,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void gpu_become_ready(void) {
  __atomic_store_n(&own.state, GPU_READY, __ATOMIC_RELEASE);
}

static void end_with(const char *reason) {
  ledger_set_state("%s", reason);
  gpu_be_off();
  if (!told()->stats)
    let_pass(INFINITY, INFINITY);
}

void gpu_close(const char *reason) {
  end_with(reason);
  if (told()->is_verbose)
    fprintf(stderr, "gpuexec blas: %s\n", reason);
}

void gpu_close_failed(const gpu *g) {
  char text[256];
  snprintf(text, sizeof text, "not used any more: %s", g->device.error);
  gpu_close(text);
}

void gpu_in_child(void) {
  pthread_mutex_init(&own.lock, NULL);
  end_with("not used in a child");
}
