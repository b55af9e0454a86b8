// Locks, keys and pthread_once of one thread as on the host; a mutex among waves; and the message where a lane would wait for
// its neighbour.
// RUN: %hostcc -fno-builtin -w %s -o %t.host -pthread && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 1 --blocks 64 %t count > %t.count && grep -q '^last: 64$' %t.count
// RUN: not %run --threads 2 %t hold 2> %t.hold
// RUN: grep -q 'pthread_mutex_lock: a thread waits for a thread of its own wave' %t.hold
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, counter;
static void initialise(void) { ++calls; }

static int count(void) {
  pthread_mutex_lock(&mutex);
  pthread_once(&once, initialise);
  const int number = ++counter;
  pthread_mutex_unlock(&mutex);
  if (number == 64 && calls == 1)
    printf("last: %d\n", number);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "count"))
    return count();
  if (argc > 1)
    return pthread_mutex_lock(&mutex);
  printf("%d %d", pthread_mutex_lock(&mutex), pthread_mutex_trylock(&mutex) == EBUSY);
  printf(" %d %d\n", pthread_mutex_unlock(&mutex), pthread_mutex_destroy(&mutex));
  pthread_mutexattr_t attributes;
  pthread_mutex_t recursive, checked;
  pthread_mutexattr_init(&attributes);
  printf("%d", pthread_mutexattr_settype(&attributes, 99) == EINVAL);
  printf(" %d", pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE));
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  printf(" %d %d\n", pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive));
  printf("%d %d", pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive));
  printf(" %d\n", pthread_mutex_unlock(&recursive) == EPERM);
  printf("%d %d\n", pthread_mutex_lock(&checked), pthread_mutex_lock(&checked) == EDEADLK);
  printf("%d\n", pthread_mutex_unlock(&checked));
  pthread_once(&once, initialise);
  pthread_once(&once, initialise);
  printf("%d\n", calls);
  pthread_key_t first, second;
  printf("%d %d\n", pthread_key_create(&first, NULL), pthread_key_create(&second, NULL));
  printf("%d %d\n", pthread_getspecific(first) == NULL, pthread_setspecific(second, &calls));
  printf("%d %d\n", pthread_getspecific(first) == NULL, pthread_getspecific(second) == &calls);
  printf("%d %d\n", pthread_key_delete(first), pthread_setspecific(4000, &calls) == EINVAL);
  // A key that may get the index of a deleted one has no value yet.
  printf("%d", pthread_key_delete(second));
  printf(" %d", pthread_key_create(&second, NULL));
  printf(" %d %d", pthread_getspecific(second) == NULL, pthread_setspecific(second, &calls));
  printf(" %d\n", pthread_getspecific(second) == &calls);
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  printf("%d %d", pthread_rwlock_rdlock(&lock), pthread_rwlock_rdlock(&lock));
  printf(" %d", pthread_rwlock_trywrlock(&lock) == EBUSY);
  printf(" %d %d", pthread_rwlock_unlock(&lock), pthread_rwlock_unlock(&lock));
  printf(" %d", pthread_rwlock_wrlock(&lock));
  printf(" %d", pthread_rwlock_tryrdlock(&lock) == EBUSY);
  printf(" %d\n", pthread_rwlock_unlock(&lock));
  printf("%d\n", pthread_equal(pthread_self(), pthread_self()) != 0);
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  printf("%d %d\n", pthread_cond_signal(&condition), pthread_cond_broadcast(&condition));
  return 0;
}
