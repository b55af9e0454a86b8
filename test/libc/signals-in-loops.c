// Loops that wait for a handler, or compute for ever, are interrupted: a volatile flag, a loop without end, loops of other threads; by
// alarm() and by another thread. A loop that reads nothing volatile is left alone.
// RUN: %gpucc -O2 -pthread %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %gpucc -O0 -pthread %s -o %t.O0
// RUN: %run %t.O0 | FileCheck %s
// CHECK: flag: alarm
// CHECK-NEXT: flag in the loop's condition: usr1
// CHECK-NEXT: cancelled at once
// CHECK-NEXT: without end: alarm
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t stop;
static void on_alarm(int number) { stop = 1; }
static void on_user(int number) { stop = 2; }
static void leave(int number) {
  printf("without end: alarm\n");
  exit(0);
}
static void *send(void *to) {
  usleep(20000);
  pthread_kill(*(pthread_t *)to, SIGUSR1);
  return NULL;
}
static void *compute(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  volatile unsigned long sum = 0;
  for (;;)
    sum += 1;
  return NULL;
}

int main(void) {
  unsigned long count = 0;
  signal(SIGALRM, on_alarm);
  signal(SIGUSR1, on_user);
  ualarm(50000, 0);
  for (;; ++count)
    if (stop)
      break;
  printf("flag: %s\n", stop == 1 ? "alarm" : "?");
  pthread_t self = pthread_self(), other;
  stop = 0;
  pthread_create(&other, NULL, send, &self);
  while (!stop)
    ++count;
  pthread_join(other, NULL);
  printf("flag in the loop's condition: %s\n", stop == 2 ? "usr1" : "?");
  void *result;
  pthread_create(&other, NULL, compute, NULL);
  usleep(20000);
  pthread_cancel(other);
  pthread_join(other, &result);
  printf("%s\n", result == PTHREAD_CANCELED ? "cancelled at once" : "?");
  signal(SIGALRM, leave);
  ualarm(50000, 0);
  for (;;)
    ++count;
}
