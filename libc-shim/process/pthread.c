//===-- libc-shim/process/pthread.c - Locks and keys of threads -----------===//
// See pthread.h. A lane takes a lock that is free with one atomic; it waits
// only for lanes of other waves.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_state.h"
#include "libc-shim/device/wave.h"
#include <errno.h>
#include <gpuintrin.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 64 };

pthread_t pthread_self(void) {
  return (pthread_t)rpc_this_wave().number * LANES + __gpu_lane_id() + 1;
}
int pthread_equal(pthread_t first, pthread_t second) { return first == second; }

static bool is_neighbour(pthread_t thread) {
  return (thread - 1) / LANES == (pthread_self() - 1) / LANES;
}

static __attribute__((noreturn)) void endless(const char *function) {
  fprintf(stderr,
          "%s: a thread waits for a thread of its own wave, which cannot go "
          "on meanwhile\n",
          function);
  abort();
}

/// Makes `*word` `self` if it is 0; else what it is.
static unsigned long take(unsigned long *word, unsigned long self) {
  unsigned long before = 0;
  __scoped_atomic_compare_exchange_n(word, &before, self, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  return before;
}
static void release(unsigned long *word) {
  __scoped_atomic_store_n(word, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}

//===-- Mutexes -----------------------------------------------------------===//

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  *attributes = (pthread_mutexattr_t){0};
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ERRORCHECK)
    return EINVAL;
  attributes->__type = type;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes,
                              int *restrict type) {
  *type = attributes->__type;
  return 0;
}
int pthread_mutex_init(pthread_mutex_t *restrict mutex,
                       const pthread_mutexattr_t *restrict attributes) {
  *mutex = (pthread_mutex_t){.__type = attributes ? attributes->__type : 0};
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  return mutex->__owner ? EBUSY : 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  const pthread_t self = pthread_self(), owner = take(&mutex->__owner, self);
  if (owner && (owner != self || mutex->__type != PTHREAD_MUTEX_RECURSIVE))
    return EBUSY;
  ++mutex->__count;
  return 0;
}
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  while (pthread_mutex_trylock(mutex)) {
    const pthread_t owner = __scoped_atomic_load_n(
        &mutex->__owner, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (owner == pthread_self() && mutex->__type == PTHREAD_MUTEX_ERRORCHECK)
      return EDEADLK;
    if (owner && is_neighbour(owner))
      endless("pthread_mutex_lock");
    __gpu_thread_suspend();
  }
  return 0;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (mutex->__type != PTHREAD_MUTEX_NORMAL && mutex->__owner != pthread_self())
    return EPERM;
  if (!--mutex->__count)
    release(&mutex->__owner);
  return 0;
}

//===-- Locks for readers and writers -------------------------------------===//

// __writer guards __readers too; a writer keeps it.

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attributes) {
  (void)attributes;
  *lock = (pthread_rwlock_t){0};
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  (void)lock;
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  if (take(&lock->__writer, pthread_self()))
    return EBUSY;
  ++lock->__readers;
  release(&lock->__writer);
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  if (take(&lock->__writer, pthread_self()))
    return EBUSY;
  if (!lock->__readers)
    return 0;
  release(&lock->__writer);
  return EBUSY;
}

static int wait_for(pthread_rwlock_t *lock, int (*try)(pthread_rwlock_t *),
                    const char *function) {
  while (try(lock)) {
    const pthread_t writer = __scoped_atomic_load_n(
        &lock->__writer, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (writer == pthread_self())
      return EDEADLK;
    if (writer && is_neighbour(writer))
      endless(function);
    __gpu_thread_suspend();
  }
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return wait_for(lock, pthread_rwlock_tryrdlock, "pthread_rwlock_rdlock");
}
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  return wait_for(lock, pthread_rwlock_trywrlock, "pthread_rwlock_wrlock");
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (lock->__writer != pthread_self()) {
    while (take(&lock->__writer, pthread_self()))
      __gpu_thread_suspend();
    --lock->__readers;
  }
  release(&lock->__writer);
  return 0;
}

//===-- Once --------------------------------------------------------------===//

int pthread_once(pthread_once_t *once, void (*function)(void)) {
  enum { NEW, RUNNING, DONE };
  int state = NEW;
  // The lanes that are here with one `once` are one group: the first of them
  // runs the function, the others are behind it.
  const uint64_t mask = rpc_lane_mask();
  FOR_EACH_LANE(mask) {
    state = NEW;
    if (__scoped_atomic_compare_exchange_n(once, &state, RUNNING, 0,
                                           __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE,
                                           __MEMORY_SCOPE_DEVICE)) {
      function();
      __scoped_atomic_store_n(once, DONE, __ATOMIC_RELEASE,
                              __MEMORY_SCOPE_DEVICE);
    } else {
      while (__scoped_atomic_load_n(once, __ATOMIC_ACQUIRE,
                                    __MEMORY_SCOPE_DEVICE) != DONE)
        __gpu_thread_suspend();
    }
  }
  return 0;
}

//===-- Keys --------------------------------------------------------------===//

enum { MOST_KEYS = 128 };
static uint32_t used[MOST_KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  (void)destructor;
  for (unsigned i = 0; i < MOST_KEYS; ++i)
    if (!__scoped_atomic_exchange_n(&used[i], 1, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE)) {
      *key = i;
      return 0;
    }
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) {
  if (key >= MOST_KEYS || !used[key])
    return EINVAL;
  used[key] = 0;
  return 0;
}
void *pthread_getspecific(pthread_key_t key) {
  void **values = __thread_state()->specific;
  return values && key < MOST_KEYS ? values[key] : NULL;
}
int pthread_setspecific(pthread_key_t key, const void *value) {
  thread_state *state = __thread_state();
  if (key >= MOST_KEYS || !used[key])
    return EINVAL;
  if (!state->specific)
    state->specific = calloc(MOST_KEYS, sizeof(void *));
  if (!state->specific)
    return ENOMEM;
  state->specific[key] = (void *)value;
  return 0;
}

//===-- What needs no work ------------------------------------------------===//

int pthread_cond_init(pthread_cond_t *restrict condition,
                      const pthread_condattr_t *restrict attributes) {
  (void)attributes;
  *condition = (pthread_cond_t){0};
  return 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}
int pthread_cond_signal(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}
int pthread_attr_init(pthread_attr_t *attributes) {
  *attributes = (pthread_attr_t){0};
  return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  attributes->__stack_size = size;
  return 0;
}
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  attributes->__detached = state;
  return 0;
}
int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                   void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}
