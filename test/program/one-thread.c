// Where a program cannot tell how its threads are divided into blocks, each is a block, as code of a scalar processor.
// REQUIRES: emulator
// RUN: gpucc --arch=gfx942 -O2 %s -o %t
// RUN: gpuexec --device=emulator %t 7 | FileCheck %s
// RUN: gpuexec --device=emulator --threads-x 3 --threads-y 2 --blocks-y 2 %t 7 | FileCheck %s --check-prefix=TWELVE
// RUN: gpuexec-info %t | FileCheck %s --check-prefix=INFO
// RUN: gpucc --arch=gfx942 -O2 --gpu-max-threads-per-block=256 %s -o %t.masks
// RUN: gpuexec --device=emulator --threads 12 %t.masks 7 | FileCheck %s --check-prefix=TWELVE
// RUN: not gpuexec --device=emulator --threads 257 %t.masks 7 2>&1 | FileCheck %s --check-prefix=MASKS
// The code has few masks of lanes left: those of the library's own for waves. (How many instructions a run executes
// varies with the time that it waits for the host.)
// RUN: llvm-objdump -d %t | grep -c exec > %t.few
// RUN: llvm-objdump -d %t.masks | grep -c exec > %t.many
// RUN: test "$(cat %t.few)" -lt "$(($(cat %t.many) / 2))"
//
// A user who says 1 means it.
// RUN: gpucc --arch=gfx942 -O2 --gpu-max-threads-per-block=1 %s -o %t.one
// RUN: gpuexec --device=emulator --blocks 12 %t.one 7 | FileCheck %s --check-prefix=TWELVE
// RUN: not gpuexec --device=emulator --threads 2 %t.one 7 2>&1 | FileCheck %s --check-prefix=THREADS
//
// What asks for its number, in whichever file, has lanes.
// RUN: gpucc --arch=gfx942 -O2 -c -DASKS %s -o %t.asks.o
// RUN: gpucc --arch=gfx942 -O2 -DUSES -c %s -o %t.uses.o
// RUN: gpucc --arch=gfx942 -O2 %t.asks.o %t.uses.o -o %t.asks
// RUN: gpuexec --device=emulator --threads 64 %t.asks 7 | FileCheck %s --check-prefix=LANES
//
// RUN: not gpucc --arch=sm_90 --gpu-max-threads-per-block=1 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NVIDIA
// RUN: not gpucc --arch=gfx942 -fno-lto --gpu-max-threads-per-block=1 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-LTO
// RUN: not gpucc --arch=gfx942 --gpu-max-threads-per-block=1 %s -Wl,-r -o %t.none 2>&1 | FileCheck %s --check-prefix=OTHER
//
// CHECK: sum 181 longest 17 sorted 1 caught 3
// TWELVE-COUNT-12: sum 181 longest 17 sorted 1 caught 3
// INFO: _start{{( +[0-9a-z]+){7} +1 +64 }}
// THREADS: gpuexec: error: --threads: kernel '_start' was compiled for at most 1 threads in a block, not 2
// MASKS: gpuexec: error: --threads: kernel '_start' was compiled for at most 256 threads in a block, not 257
// LANES: of 64 threads, 63 is the last
// NVIDIA: gpucc: error: --gpu-max-threads-per-block: sm_90 is an NVIDIA GPU (see --maxrregcount)
// NO-LTO: gpucc: error: --gpu-max-threads-per-block: not with -fno-lto
// OTHER: gpucc-ld: error: --gpu-max-threads-per-block: not possible here: -r
#if defined(ASKS)
#include <gpuintrin.h>
unsigned last_of(unsigned *count) {
  *count = __gpu_num_threads_x();
  return __gpu_thread_id_x();
}
#elif defined(USES)
#include <stdio.h>
unsigned last_of(unsigned *count);
int main(void) {
  unsigned count, me = last_of(&count);
  if (me + 1 == count)
    printf("of %u threads, %u is the last\n", count, me);
}
#else
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
#endif
