// C11's threads as on the host.
// RUN: %hostcc -std=c17 -O1 -w %s -o %t.host -pthread && %t.host > %t.expected
// RUN: %gpucc -std=c17 -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

enum { THREADS = 8 };
static mtx_t mutex;
static cnd_t condition;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int calls, stage;
static atomic_int destroyed;
static thread_local int mine = 3;

static void call(void) { ++calls; }
static void destroy(void *value) { atomic_fetch_add(&destroyed, *(int *)value); }

static int work(void *argument) {
  static int one = 1;
  int number = *(int *)argument;
  call_once(&flag, call);
  tss_set(key, &one);
  mine += number;
  mtx_lock(&mutex);
  while (stage != number)
    cnd_wait(&condition, &mutex);
  ++stage;
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  if (number == 5)
    thrd_exit(500 + mine);
  return 100 + mine;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  printf("%d\n", tss_create(&key, destroy) == thrd_success);
  thrd_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    printf("%d", thrd_create(&threads[i], work, &numbers[i]) == thrd_success);
  }
  for (int i = 0; i < THREADS; ++i) {
    int status;
    printf(" %d", thrd_join(threads[i], &status) == thrd_success);
    printf(" %d", status);
  }
  printf("\n%d %d %d %d\n", stage, calls, mine, destroyed);
  mtx_t recursive;
  mtx_init(&recursive, mtx_timed | mtx_recursive);
  printf("%d %d", mtx_lock(&recursive), mtx_trylock(&recursive) == thrd_success);
  printf(" %d %d\n", mtx_unlock(&recursive), mtx_unlock(&recursive));
  struct timespec past = {1, 0}, brief = {0, 1000000};
  mtx_lock(&mutex);
  printf("%d\n", cnd_timedwait(&condition, &mutex, &past) == thrd_timedout);
  mtx_unlock(&mutex);
  printf("%d %d\n", thrd_sleep(&brief, NULL), thrd_equal(thrd_current(), thrd_current()) != 0);
  thrd_yield();
  cnd_destroy(&condition);
  mtx_destroy(&mutex);
  tss_delete(key);
  return 0;
}
