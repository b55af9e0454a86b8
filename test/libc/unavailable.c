// What a GPU cannot have fails when it is linked, with a message that says why.
// RUN: %gpucc -c %s -o %t.o
// RUN: not %gpucc %t.o -o %t 2>&1 | FileCheck %s
// CHECK-DAG: fork{{.*}}GPU
// CHECK-DAG: pthread_cancel{{.*}}GPU
// CHECK-DAG: timer_create{{.*}}alarm
#include <pthread.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  pthread_cancel(pthread_self());
  timer_t timer;
  timer_create(CLOCK_REALTIME, 0, &timer);
  return fork();
}
