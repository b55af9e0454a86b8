// pthread_cancel: where threads wait and in calls of the host, clean-up handlers and destructors, states and types, and what is not a
// cancellation point.
// RUN: %hostcc -pthread %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -pthread -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
// RUN: %gpucc -pthread -O0 %s -o %t.O0
// RUN: %run %t.O0 | diff %t.expected -
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t begun, nothing, go_on;
static pthread_key_t key;
static volatile int cleaned, destroyed, passed;

static void clean(void *by) { cleaned = cleaned * 10 + *(int *)by; }
static void unlock(void *held) {
  // The mutex is held again while this runs.
  cleaned = cleaned * 10 + (pthread_mutex_trylock(held) == EBUSY);
  pthread_mutex_unlock(held);
}
static void destroy(void *value) { destroyed = destroyed + 1; }

static void *wait_for_condition(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  sem_post(&begun);
  for (;;)
    pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return NULL;
}
static void *wait_for_semaphore(void *unused) {
  static int one = 1, two = 2;
  pthread_setspecific(key, &one);
  pthread_cleanup_push(clean, &one);
  pthread_cleanup_push(clean, &two);
  sem_post(&begun);
  sem_wait(&nothing);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}
static void *sleep_long(void *unused) {
  sem_post(&begun);
  sleep(1000);
  return NULL;
}
static void *pause_for_ever(void *unused) {
  sem_post(&begun);
  pause();
  return NULL;
}
static void *wait_for_signal(void *unused) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  sem_post(&begun);
  sigwait(&set, &number);
  return NULL;
}
static void *write_often(void *unused) {
  const int file = open("/dev/null", O_WRONLY);
  sem_post(&begun);
  for (;;)
    write(file, "x", 1);
  return NULL;
}
static void *test_often(void *unused) {
  sem_post(&begun);
  for (;;)
    pthread_testcancel();
  return NULL;
}
static void *join_other(void *other) {
  sem_post(&begun);
  pthread_join(*(pthread_t *)other, NULL);
  return NULL;
}
static void *yield_often(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&begun);
  for (;;)
    sched_yield();
  return NULL;
}
static void *not_now(void *unused) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  printf("  enabled before: %d\n", before == PTHREAD_CANCEL_ENABLE);
  sem_post(&begun);
  sem_wait(&go_on); // is cancelled meanwhile
  pthread_testcancel();
  passed = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
  passed = 2; // deferred
  pthread_testcancel();
  passed = 3;
  return NULL;
}
static void *cancel_self(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cancel(pthread_self());
  passed = 4;
  return NULL;
}
static void *end_by_itself(void *unused) { return &cleaned; }

static void cancel(const char *what, void *(*start)(void *), void *argument) {
  pthread_t thread;
  void *result = NULL;
  cleaned = destroyed = passed = 0;
  pthread_create(&thread, NULL, start, argument);
  sem_wait(&begun);
  const int error = pthread_cancel(thread);
  sem_post(&go_on);
  pthread_join(thread, &result);
  sem_trywait(&go_on);
  printf("%s: %d, cancelled %d, cleaned %d, destroyed %d, passed %d\n", what, error, result == PTHREAD_CANCELED, cleaned, destroyed,
         passed);
}

int main(void) {
  sem_init(&begun, 0, 0);
  sem_init(&nothing, 0, 0);
  sem_init(&go_on, 0, 0);
  pthread_key_create(&key, destroy);
  cancel("condition", wait_for_condition, NULL);
  printf("the mutex is free: %d\n", pthread_mutex_trylock(&mutex) == 0);
  cancel("semaphore", wait_for_semaphore, NULL);
  cancel("sleep", sleep_long, NULL);
  cancel("pause", pause_for_ever, NULL);
  cancel("sigwait", wait_for_signal, NULL);
  cancel("write", write_often, NULL);
  cancel("testcancel", test_often, NULL);
  cancel("disabled", not_now, NULL);
  cancel("yield", yield_often, NULL);
  pthread_t other;
  pthread_create(&other, NULL, sleep_long, NULL);
  sem_wait(&begun);
  cancel("join", join_other, &other);
  pthread_cancel(other);
  void *result;
  pthread_join(other, &result);
  printf("the other: %d\n", result == PTHREAD_CANCELED);

  pthread_create(&other, NULL, cancel_self, NULL);
  pthread_join(other, &result);
  printf("itself: %d, passed %d\n", result == PTHREAD_CANCELED, passed);
  pthread_create(&other, NULL, end_by_itself, NULL);
  struct timespec moment = {0, 100000000};
  nanosleep(&moment, NULL);
  printf("too late: %d", pthread_cancel(other));
  pthread_join(other, &result);
  printf(", %d\n", result == &cleaned);
  int before;
  printf("wrong: %d %d\n", pthread_setcancelstate(7, &before) == EINVAL, pthread_setcanceltype(7, &before) == EINVAL);
  return 0;
}
