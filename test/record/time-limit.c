// A program that had made some calls when its time was up makes more when it is replayed: it ends as it did then.
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %gpuexec --timeout 1 --record %t.rec %t > %t.out 2> %t.errors; test $? = 124
// RUN: %gpuexec --timeout 60 --replay %t.rec > %t.again 2> %t.errors-again; test $? = 124
// RUN: cmp %t.out %t.again
// RUN: FileCheck %s < %t.errors && FileCheck %s < %t.errors-again
// CHECK: timed out after 1.00 s
#include <stdio.h>
#include <unistd.h>

int main(void) {
  puts("begins");
  fflush(stdout);
  for (;;)
    usleep(1000), getpid(), close(-1);
}
