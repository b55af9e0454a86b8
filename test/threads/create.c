// pthread_create() and its family as on the host: results, detached threads, exit, names, keys, thread-local variables, errno; main
// may end first, and a program may end while threads run.
// RUN: %hostcc -O1 -w %s -o %t.host -pthread && %t.host > %t.expected
// RUN: %gpucc -O2 -w -pthread %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %t return; test $? = 7
// RUN: %run %t exit; test $? = 9
// RUN: %run %t main-first | grep -qx 'the last thread'
// RUN: %run --threads 1 --blocks 3 %t many | grep -qx '2 of 10'
// RUN: not %run --threads 1 %t one
// RUN: %gpucc -O2 -w %s -lpthread -o %t.library
// RUN: %gpucc --arch sm_90 -O2 -w %s -lpthread -o %t.cuda
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Thread_local int local = 5;
static _Thread_local char zeroed[100];
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, cleaned;
static volatile int finished;

static void destroy(void *value) {
  pthread_mutex_lock(&mutex);
  destroyed += *(int *)value;
  pthread_mutex_unlock(&mutex);
}
static void clean(void *value) {
  pthread_mutex_lock(&mutex);
  cleaned += (int)(long)value;
  pthread_mutex_unlock(&mutex);
}

static void *square(void *argument) {
  const long number = (long)argument;
  if (local != 5 || zeroed[7])
    return (void *)-1L;
  local += number;
  zeroed[7] = 1;
  errno = (int)number;
  int *own = malloc(sizeof *own);
  *own = (int)number;
  pthread_setspecific(key, own);
  if (errno != number || local != 5 + number)
    return (void *)-2L;
  return (void *)(number * number);
}

static void deep(int depth, long number) {
  pthread_cleanup_push(clean, (void *)number);
  if (depth)
    deep(depth - 1, number);
  else
    pthread_exit((void *)(number + 100));
  pthread_cleanup_pop(0);
}
static void *leave(void *argument) {
  deep(3, (long)argument);
  return NULL;
}

static void *note(void *argument) {
  __atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void *spin(void *argument) {
  for (;;)
    if (__atomic_load_n(&finished, __ATOMIC_RELAXED) > 1000000)
      return NULL;
}

static void nap(void) {
  struct timespec span = {0, 20000000};
  nanosleep(&span, NULL);
}
static void *last(void *argument) {
  nap();
  printf("the last thread\n");
  return NULL;
}

static void *wait_for(void *argument) {
  while (!__atomic_load_n((int *)argument, __ATOMIC_ACQUIRE))
    ;
  return NULL;
}

static int end(const char *how) {
  pthread_t thread;
  if (!strcmp(how, "main-first")) {
    pthread_create(&thread, NULL, last, NULL);
    pthread_exit(NULL);
  }
  if (!strcmp(how, "many")) {
    static int go;
    pthread_t all[10];
    int started = 0;
    while (started < 10 && !pthread_create(&all[started], NULL, wait_for, &go))
      ++started;
    printf("%d of 10\n", started);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < started; ++i)
      pthread_join(all[i], NULL);
    return 0;
  }
  if (!strcmp(how, "one"))
    return pthread_create(&thread, NULL, note, NULL) == EAGAIN;
  pthread_create(&thread, NULL, spin, NULL);
  if (!strcmp(how, "exit"))
    exit(9);
  return 7;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return end(argv[1]);
  pthread_key_create(&key, destroy);
  enum { THREADS = 12 };
  pthread_t threads[THREADS];
  void *result;
  for (int round = 0; round < 3; ++round) {
    for (long i = 0; i < THREADS; ++i)
      printf("%d", pthread_create(&threads[i], NULL, square, (void *)i));
    for (int i = 0; i < THREADS; ++i) {
      printf(" %d", pthread_join(threads[i], &result));
      printf(" %ld", (long)result);
    }
    printf("\n");
  }
  printf("%d\n", destroyed);
  for (long i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, leave, (void *)i);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], &result);
    printf("%ld ", (long)result);
  }
  printf("%d\n", cleaned);
  pthread_attr_t attributes;
  int state;
  size_t size;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_getdetachstate(&attributes, &state);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_getstacksize(&attributes, &size);
  printf("%d %zu %d\n", state == PTHREAD_CREATE_DETACHED, size, pthread_attr_setdetachstate(&attributes, 99) == EINVAL);
  for (int i = 0; i < 5; ++i)
    printf("%d", pthread_create(&threads[i], &attributes, note, NULL));
  for (int i = 5; i < 9; ++i) {
    pthread_create(&threads[i], NULL, note, NULL);
    printf("%d", pthread_detach(threads[i]));
  }
  while (__atomic_load_n(&finished, __ATOMIC_SEQ_CST) < 9)
    nap();
  printf(" %d\n", __atomic_load_n(&finished, __ATOMIC_SEQ_CST));
  pthread_attr_destroy(&attributes);
  char name[16];
  printf("%d", pthread_setname_np(pthread_self(), "worker"));
  printf(" %d %s", pthread_getname_np(pthread_self(), name, sizeof name), name);
  printf(" %d\n", pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
  printf("%d\n", pthread_join(pthread_self(), NULL) == EDEADLK);
  int go = 0;
  pthread_create(&threads[0], NULL, wait_for, &go);
  printf("%d", pthread_tryjoin_np(threads[0], NULL) == EBUSY);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  printf(" %d\n", pthread_timedjoin_np(threads[0], NULL, &soon) == ETIMEDOUT);
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  printf("%d\n", pthread_join(threads[0], NULL));
  return 0;
}
