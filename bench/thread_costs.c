// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads cost: microseconds, the best of five rounds. Runs on a GPU (gpucc -pthread) and on the host (clang -pthread).
//   thread_costs [THREADS]     of the barrier; 32 unless said
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 5, TIMES = 200 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

static void *nothing(void *argument) { return argument; }
static void create_and_join(int threads) {
  (void)threads;
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock_and_unlock(int threads) {
  (void)threads;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

// A ball that two threads give each other.
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn, stop;
static void give(int to) {
  turn = to;
  pthread_cond_signal(&turned);
  while (turn == to && !stop)
    pthread_cond_wait(&turned, &mutex);
}
static void *partner(void *argument) {
  pthread_mutex_lock(&mutex);
  while (!stop) {
    while (turn == 0 && !stop)
      pthread_cond_wait(&turned, &mutex);
    give(0);
  }
  pthread_mutex_unlock(&mutex);
  return argument;
}
static void round_trip(int threads) {
  (void)threads;
  pthread_mutex_lock(&mutex);
  give(1);
  pthread_mutex_unlock(&mutex);
}

static pthread_barrier_t barrier;
static void *meet(void *argument) {
  for (int i = 0; i < TIMES * ROUNDS; ++i)
    pthread_barrier_wait(&barrier);
  return argument;
}
static void wait_at_barrier(int threads) {
  (void)threads;
  pthread_barrier_wait(&barrier);
}

static void measure(const char *what, void (*function)(int), int threads) {
  double best = 1e30;
  for (int round = 0; round < ROUNDS; ++round) {
    const double begin = now();
    for (int i = 0; i < TIMES; ++i)
      function(threads);
    const double each = (now() - begin) / TIMES;
    if (each < best)
      best = each;
  }
  printf("%-28s %8.2f us\n", what, best);
}

int main(int argc, char **argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 32;
  measure("create and join", create_and_join, 0);
  measure("lock and unlock", lock_and_unlock, 0);
  pthread_t other;
  pthread_create(&other, NULL, partner, NULL);
  measure("condition, there and back", round_trip, 0);
  pthread_mutex_lock(&mutex);
  stop = 1;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
  pthread_t *all = calloc(threads, sizeof *all);
  pthread_barrier_init(&barrier, NULL, threads);
  for (int i = 1; i < threads; ++i)
    if (pthread_create(&all[i], NULL, meet, NULL)) {
      fprintf(stderr, "thread_costs: only %d threads\n", i);
      return 1;
    }
  char name[40];
  snprintf(name, sizeof name, "barrier of %d", threads);
  measure(name, wait_at_barrier, threads);
  for (int i = 1; i < threads; ++i)
    pthread_join(all[i], NULL);
  return 0;
}
