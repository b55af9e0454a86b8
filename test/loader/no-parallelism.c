// --no-parallelism: one program at a time, and whoever dies gives way; the wait is not the program's time.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O2 %s -o image
// RUN: : > log; for i in 1 2 3 4 5 6; do %gpuexec --no-parallelism image log & done; wait; FileCheck %s < log
// CHECK-COUNT-6: {{^begin end$}}
// RUN: %gpuexec --no-parallelism image log hang & sleep 1; kill -9 $!; %gpuexec --no-parallelism --timeout 30 image log
#include <stdio.h>

volatile int never;

int main(int argc, char **argv) {
  FILE *log = fopen(argv[1], "a");
  fputs("begin", log);
  fflush(log);
  for (volatile int i = 0; i < 20000 || (argc > 2 && !never); i++)
    ;
  fputs(" end\n", log);
  fclose(log);
  return 0;
}
