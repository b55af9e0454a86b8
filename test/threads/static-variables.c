// Static variables whose address nobody takes, behind locks that a program makes of C11's atomics in functions of its own: what
// another thread stored is seen.
// RUN: %hostcc -O2 -w %s -o %t.host -pthread && %t.host > %t.expected
// RUN: %gpucc -O2 -w -pthread %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 100 };
static atomic_int turn;
static long counter, wrong;

static __attribute__((noinline)) void wait_for_turn(int mine) {
  while (atomic_load_explicit(&turn, memory_order_acquire) != mine)
    sched_yield();
}
static __attribute__((noinline)) void pass_on(int mine) {
  atomic_store_explicit(&turn, (mine + 1) % THREADS, memory_order_release);
}

static void *take_turns(void *argument) {
  const int mine = (int)(long)argument;
  for (int i = 0; i < ROUNDS; ++i) {
    wait_for_turn(mine);
    if (counter != (long)i * THREADS + mine)
      ++wrong;
    ++counter;
    pass_on(mine);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, take_turns, (void *)i);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  printf("%ld %ld\n", counter, wrong);
  return 0;
}
