// REQUIRES: emulator
// What a replay says when there is no schedule to repeat, or somebody else is to repeat it.
// RUN: rm -rf %t && mkdir %t && %gpucc -O1 %s -o %t/p && cd %t
// RUN: %run --record r --record-schedule --blocks 3 ./p 2> err > out && FileCheck %s --check-prefix=SEED < err
// SEED: will hold
// SEED-NEXT: gpuexec: --record-schedule={{[0-9]+$}}
// RUN: %run --replay r | cmp - out
// Without it: by caller, as ever.
// RUN: %run --replay r --replay-schedule=off | sort > sorted && sort out | cmp - sorted
// RUN: %python %inputs/one_line.py 125 "not with a recorded schedule" %run --emulator-threads=2 --replay r
// RUN: %python %inputs/one_line.py 125 "gpuexec's own process" %run --sandbox --replay r
// RUN: %run --sandbox --record s --record-schedule=1 ./p 2> err; test $? -eq 125 && FileCheck %s --check-prefix=SANDBOX < err
// SANDBOX: gpuexec: error: --record-schedule: only the emulated device can do that, in gpuexec's own process
// gpu-replay says that it does not.
// RUN: %bin/gpu-replay --device=emulator r 2> err | sort | cmp - sorted && FileCheck %s --check-prefix=ALONE < err
// ALONE: warning: the recorded schedule is not repeated
// Cut off: as far as it goes.
// RUN: head -c $(($(wc -c < r) - 50)) r > cut && %run --replay cut 2> err; test $? -eq 125 && FileCheck %s --check-prefix=CUT < err
// CUT: was cut off
#include <gpuintrin.h>
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 5; ++i)
    printf("%u %d\n", __gpu_block_id(0), i);
  return 0;
}
