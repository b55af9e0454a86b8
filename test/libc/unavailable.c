// What a GPU cannot have fails when it is linked, with a message that says why.
// RUN: %gpucc -c %s -o %t.o
// RUN: not %gpucc %t.o -o %t 2>&1 | FileCheck %s
// CHECK-DAG: fork{{.*}}GPU
// CHECK-DAG: getcontext{{.*}}GPU
// CHECK-DAG: shmget{{.*}}
#include <sys/shm.h>
#include <ucontext.h>
#include <unistd.h>

int main(void) {
  ucontext_t context;
  getcontext(&context);
  shmget(1, 2, 3);
  return fork();
}
