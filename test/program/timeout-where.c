// REQUIRES: emulator
// After a time-out gpuexec says where the waves were.
// RUN: %gpucc -O1 -g %s -o %t
// RUN: %gpuexec --timeout 1 %t 2> %t.err; test $? -eq 124
// RUN: FileCheck %s < %t.err
// CHECK: {{timed out|time limit|timeout}}
// CHECK: stuck{{.*}}timeout-where.c:
volatile int never;

__attribute__((noinline)) void stuck(void) {
  while (!never)
    ;
}

int main(void) {
  stuck();
  return 0;
}
