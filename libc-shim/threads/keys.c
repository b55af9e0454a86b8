//===-- libc-shim/threads/keys.c - Each thread's own values ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/device/wave.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
  uint32_t used;
  void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];

static bool is_used(pthread_key_t key) {
  return key < PTHREAD_KEYS_MAX &&
         __scoped_atomic_load_n(&keys[key].used, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
}

/// Calls the destructors of the calling thread's values that are not null;
/// again, a limited number of times, while destructors set new values.
static void destroy(void) {
  thread_state *state = __thread_state();
  bool called = state->specific;
  for (int round = 0; called && round < PTHREAD_DESTRUCTOR_ITERATIONS;
       ++round) {
    called = false;
    for (unsigned i = 0; i < PTHREAD_KEYS_MAX; ++i) {
      void *value = state->specific[i];
      if (!value || !keys[i].used || !keys[i].destructor)
        continue;
      state->specific[i] = NULL;
      keys[i].destructor(value);
      called = true;
    }
  }
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  __gpuexec_destroy_specific = destroy;
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; ++i)
    if (!__scoped_atomic_exchange_n(&keys[i].used, 1, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE)) {
      keys[i].destructor = destructor;
      *key = i;
      return 0;
    }
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) {
  if (!is_used(key))
    return EINVAL;
  keys[key].destructor = NULL;
  __scoped_atomic_store_n(&keys[key].used, 0, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  return 0;
}
void *pthread_getspecific(pthread_key_t key) {
  void **values = __thread_state()->specific;
  return values && key < PTHREAD_KEYS_MAX ? values[key] : NULL;
}
int pthread_setspecific(pthread_key_t key, const void *value) {
  if (!is_used(key))
    return EINVAL;
  thread_state *state = __thread_state();
  if (!state->specific)
    state->specific = calloc(PTHREAD_KEYS_MAX, sizeof(void *));
  if (!state->specific)
    return ENOMEM;
  state->specific[key] = (void *)value;
  return 0;
}
