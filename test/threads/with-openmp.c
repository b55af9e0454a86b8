// A program that uses OpenMP and creates threads does not link; the error says why.
// RUN: not %gpucc --arch gfx942 -fopenmp %s -o %t.amd 2>&1 | FileCheck %s
// RUN: not %gpucc --arch sm_90 -fopenmp %s -o %t.cuda 2>&1 | FileCheck %s
// RUN: %gpucc --arch gfx942 -fopenmp %s -o %t.amd -DLOCKS
// RUN: %gpucc --arch sm_90 -fopenmp %s -o %t.cuda -DLOCKS
// CHECK: ERROR: the program uses OpenMP and creates threads (pthread_create, thrd_create): a grid works for one of them
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *argument) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
#ifndef LOCKS
  pthread_t thread;
  if (!pthread_create(&thread, 0, add, 0))
    pthread_join(thread, 0);
#endif
#pragma omp parallel
  add(0);
  return count;
}
