// Robust mutexes: the owner's thread has ended; consistent again, or not recoverable. Attributes that are kept without effect.
// RUN: %hostcc -pthread %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -pthread -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_barrier_t barrier;

static void *end_with_it(void *unused) {
  pthread_mutex_lock(&mutex);
  return NULL;
}
static void *end_later(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_barrier_wait(&barrier);
  const struct timespec moment = {0, 50000000};
  nanosleep(&moment, NULL);
  return NULL;
}
static const char *name(int error) {
  return error == 0 ? "0" : error == EOWNERDEAD ? "EOWNERDEAD" : error == ENOTRECOVERABLE ? "ENOTRECOVERABLE" : error == EBUSY ? "EBUSY"
         : error == EINVAL ? "EINVAL" : error == EPERM ? "EPERM" : "another";
}
static void run(void *(*start)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, NULL);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_mutexattr_t attributes;
  int value = -1;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_getrobust(&attributes, &value);
  printf("%d", value == PTHREAD_MUTEX_STALLED);
  printf(" %s", name(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST)));
  pthread_mutexattr_getrobust(&attributes, &value);
  printf(" %d %s\n", value == PTHREAD_MUTEX_ROBUST, name(pthread_mutexattr_setrobust(&attributes, 7)));
  pthread_mutex_init(&mutex, &attributes);
  printf("consistent without need: %s\n", name(pthread_mutex_consistent(&mutex)));

  run(end_with_it);
  printf("%s", name(pthread_mutex_lock(&mutex)));
  printf(" %s", name(pthread_mutex_consistent(&mutex)));
  printf(" %s", name(pthread_mutex_unlock(&mutex)));
  printf(" %s", name(pthread_mutex_lock(&mutex)));
  printf(" %s\n", name(pthread_mutex_unlock(&mutex)));

  run(end_with_it);
  printf("%s", name(pthread_mutex_trylock(&mutex)));
  printf(" %s", name(pthread_mutex_unlock(&mutex)));
  printf(" %s", name(pthread_mutex_lock(&mutex)));
  printf(" %s\n", name(pthread_mutex_trylock(&mutex)));
  pthread_mutex_destroy(&mutex);

  // The owner ends while another thread waits.
  pthread_mutex_init(&mutex, &attributes);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, end_later, NULL);
  pthread_barrier_wait(&barrier);
  printf("%s\n", name(pthread_mutex_lock(&mutex)));
  pthread_join(thread, NULL);

  for (int wanted = PTHREAD_PRIO_NONE; wanted <= PTHREAD_PRIO_PROTECT; ++wanted) {
    printf("%s", name(pthread_mutexattr_setprotocol(&attributes, wanted)));
    pthread_mutexattr_getprotocol(&attributes, &value);
    printf(" %d\n", value == wanted);
  }
  printf("%s %s", name(pthread_mutexattr_setprotocol(&attributes, 9)), name(pthread_mutexattr_setprioceiling(&attributes, 1000)));
  printf(" %s", name(pthread_mutexattr_setprioceiling(&attributes, 50)));
  pthread_mutexattr_getprioceiling(&attributes, &value);
  printf(" %d\n", value);
  pthread_mutex_t other;
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED);
  pthread_mutex_init(&other, &attributes);
  printf("%s", name(pthread_mutex_getprioceiling(&other, &value)));
  printf(" %d", value);
  printf(" %s", name(pthread_mutex_setprioceiling(&other, 60, &value)));
  printf(" %d\n", value);
  return 0;
}
