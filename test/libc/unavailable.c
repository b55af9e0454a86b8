// What a GPU cannot have fails when it is linked, with a message that says why.
// RUN: %gpucc -c %s -o %t.o
// RUN: not %gpucc %t.o -o %t 2>&1 | FileCheck %s
// CHECK-DAG: fork{{.*}}GPU
// CHECK-DAG: thrd_create{{.*}}gpuexec
// CHECK-DAG: timer_create{{.*}}alarm
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int body(void *argument) { return argument != 0; }

int main(void) {
  thrd_t thread;
  thrd_create(&thread, body, 0);
  timer_t timer;
  timer_create(CLOCK_REALTIME, 0, &timer);
  return fork();
}
