//===-- libc-shim/threads/keys.c - Each thread's own values ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A key is an index, which is used again after pthread_key_delete(). Each use
// has a generation, and a value belongs to the generation in which it was set:
// threads have no value of a new key, whatever they kept under its index.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/device/wave.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
  uint32_t generation; ///< odd while the key exists
  void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];

/// A thread's value of a key, null in other generations.
struct thread_value {
  uint32_t generation;
  void *value;
};

/// The key's generation; 0 if there is no such key.
static uint32_t generation_of(pthread_key_t key) {
  const uint32_t generation =
      key < PTHREAD_KEYS_MAX
          ? __scoped_atomic_load_n(&keys[key].generation, __ATOMIC_ACQUIRE,
                                   __MEMORY_SCOPE_DEVICE)
          : 0;
  return generation % 2 ? generation : 0;
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
      const struct thread_value mine = state->specific[i];
      if (!mine.value || mine.generation != generation_of(i) ||
          !keys[i].destructor)
        continue;
      state->specific[i].value = NULL;
      keys[i].destructor(mine.value);
      called = true;
    }
  }
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  __gpuexec_destroy_specific = destroy;
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; ++i) {
    uint32_t before = __scoped_atomic_load_n(
        &keys[i].generation, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (before % 2 ||
        !__scoped_atomic_compare_exchange_n(
            &keys[i].generation, &before, before + 1, 0, __ATOMIC_ACQUIRE,
            __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
      continue;
    keys[i].destructor = destructor;
    *key = i;
    return 0;
  }
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) {
  if (!generation_of(key))
    return EINVAL;
  keys[key].destructor = NULL;
  __scoped_atomic_fetch_add(&keys[key].generation, 1, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
  return 0;
}
void *pthread_getspecific(pthread_key_t key) {
  const struct thread_value *values = __thread_state()->specific;
  const uint32_t generation = generation_of(key);
  return values && generation && values[key].generation == generation
             ? values[key].value
             : NULL;
}
int pthread_setspecific(pthread_key_t key, const void *value) {
  const uint32_t generation = generation_of(key);
  if (!generation)
    return EINVAL;
  thread_state *state = __thread_state();
  if (!state->specific)
    state->specific = calloc(PTHREAD_KEYS_MAX, sizeof *state->specific);
  if (!state->specific)
    return ENOMEM;
  state->specific[key] =
      (struct thread_value){.generation = generation, .value = (void *)value};
  return 0;
}
