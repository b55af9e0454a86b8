// REQUIRES: emulator
// One wave of several makes all calls, with memory that another one may ask for next time: it is not held to its addresses.
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O1 %s -o p && %run --threads 64 --blocks 8 --record r p > out 2> err
// RUN: for i in 1 2 3; do %run --replay r > again && cmp out again || { echo "failed: time $i" >&2; exit 1; }; done
// RUN: cd / && %bin/gpu-replay --device=emulator %t/r | cmp - %t/out
#include <gpuintrin.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  // The last wave that is here gets another block of the shared heap each time.
  static unsigned arrived;
  char *block = malloc(10000);
  memset(block, 'x', 10000);
  if (__gpu_thread_id(0) == 0 && __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED) == 7)
    write(1, block, 10000);
  return 0;
}
