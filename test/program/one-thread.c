// --gpu-max-threads-per-block=1: one thread runs alone, as code of a scalar processor; blocks run side by side.
// REQUIRES: emulator
// RUN: gpucc --arch=gfx942 -O2 --gpu-max-threads-per-block=1 %s -o %t
// RUN: gpuexec --device=emulator %t 7 | FileCheck %s
// RUN: gpuexec --device=emulator --blocks 3 %t 7 | FileCheck %s --check-prefix=BLOCKS
// RUN: not gpuexec --device=emulator --threads 2 %t 7 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: gpucc --arch=gfx942 -O2 %s -o %t.masks
// RUN: gpuexec --device=emulator %t.masks 7 | FileCheck %s
// The code has few masks of lanes left: those of the library's own for waves. (How many instructions a run executes
// varies with the time that it waits for the host.)
// RUN: llvm-objdump -d %t | grep -c exec > %t.few
// RUN: llvm-objdump -d %t.masks | grep -c exec > %t.many
// RUN: test "$(cat %t.few)" -lt "$(($(cat %t.many) / 2))"
//
// RUN: not gpucc --arch=sm_90 --gpu-max-threads-per-block=1 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NVIDIA
// RUN: not gpucc --arch=gfx942 -fno-lto --gpu-max-threads-per-block=1 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-LTO
// RUN: not gpucc --arch=gfx942 --gpu-max-threads-per-block=1 %s -Wl,-r -o %t.none 2>&1 | FileCheck %s --check-prefix=OTHER
//
// CHECK: sum 181 longest 17 sorted 1 caught 3
// BLOCKS-COUNT-3: sum 181 longest 17 sorted 1 caught 3
// THREADS: gpuexec: error: --threads: kernel '_start' was compiled for at most 1 threads in a block, not 2
// NVIDIA: gpucc: error: --gpu-max-threads-per-block: sm_90 is an NVIDIA GPU (see --maxrregcount)
// NO-LTO: gpucc: error: --gpu-max-threads-per-block: not with -fno-lto
// OTHER: gpucc-ld: error: --gpu-max-threads-per-block: not possible here: -r
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf caught;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void fail(int depth) {
  if (depth == 0)
    longjmp(caught, 3);
  fail(depth - 1);
}

static int steps(unsigned long n) {
  int count = 1;
  for (; n != 1; ++count)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}

int main(int argc, char **argv) {
  int first = argc > 1 ? atoi(argv[1]) : 1, values[16], sum = 0, longest = 0, sorted = 1;
  for (int i = 0; i < 16; ++i) {
    values[i] = (first * (i + 5)) % 23;
    sum += values[i];
  }
  qsort(values, 16, sizeof *values, compare);
  for (int i = 1; i < 16; ++i)
    sorted &= values[i - 1] <= values[i];
  for (int i = 1; i <= first; ++i)
    if (steps(i) > longest)
      longest = steps(i);
  int jumped = setjmp(caught);
  if (!jumped)
    fail(first);
  printf("sum %d longest %d sorted %d caught %d\n", sum, longest, sorted, jumped);
}
