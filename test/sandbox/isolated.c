/* --isolate: machine code runs in a process that has nothing but its channels, and that dies with ours.

REQUIRES: emulator, landlock
RUN: %gpucc %lanes -O2 %s -o %t
RUN: %gpuexec --isolate --timeout 120 %t echo < %s | cmp - %s
RUN: %gpuexec --isolate %t exit; test $? -eq 7
RUN: %gpuexec --isolate %t abort > %t.out 2>&1; test $? -eq 134
RUN: %gpuexec --isolate %t fault > %t.out 2>&1; test $? -eq 139
RUN: FileCheck %s --check-prefix=FAULT < %t.out
FAULT: memory fault at 0x0000000000000008, not mapped
FAULT: device fault: write of 4 bytes
RUN: GPUEXEC_EMULATOR_JIT=verbose %gpuexec --isolate %t hot 2>&1 | FileCheck %s --check-prefix=HOT
HOT: jit: pc
RUN: %gpuexec --isolate %t heap | FileCheck %s --check-prefix=HEAP
HEAP: sum 1770
RUN: %gpuexec --isolate --threads 256 --blocks 16 %t exit; test $? -eq 7
RUN: %gpuexec --isolate --stats %t 2>&1 | FileCheck %s --check-prefix=STATS
STATS: kernel _start: 1 launch
RUN: %gpuexec --isolate --repeat 2 %t 2>&1 | FileCheck %s --check-prefix=REPEAT
REPEAT: 0 of 2 runs failed
RUN: %gpuexec --isolate --timeout 1 %t spin > %t.out 2>&1; test $? -eq 124
RUN: FileCheck %s --check-prefix=WHERE < %t.out
WHERE: timed out
WHERE-NEXT: kernel _start, block (0,0,0), wave 0

Its descriptors, its environment and its layers, as the kernel tells them; and who ends with whom.
RUN: SECRET=mine %python %S/Inputs/isolated.py %bin/gpuexec %t
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "exit"))
    exit(7);
  if (!strcmp(what, "abort"))
    abort();
  if (!strcmp(what, "fault"))
    *(volatile int *)8 = 1;
  if (!strcmp(what, "spin")) {
    puts("spins");
    fflush(stdout);
    for (volatile long i = 0;; ++i)
      ;
  }
  if (!strcmp(what, "hot")) {
    unsigned s = 1;
    for (unsigned long i = 0; i < 20000000; ++i) {
      s = s * 1664525u + 1013904223u;
      if (s & 0x10000)
        s ^= i;
    }
    printf("%u\n", s);
  }
  if (!strcmp(what, "heap")) { // beyond the first piece that the heap gets
    unsigned long sum = 0;
    for (int i = 0; i < 60; ++i) {
      char *block = malloc(8 << 20);
      if (!block)
        return 1;
      memset(block, i, 8 << 20);
      sum += block[12345];
    }
    printf("sum %lu\n", sum);
  }
  static char buffer[70000];
  size_t count;
  while (!strcmp(what, "echo") && (count = fread(buffer, 1, sizeof buffer, stdin)) > 0)
    fwrite(buffer, 1, count, stdout);
  return 0;
}
