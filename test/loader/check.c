// --check=uninit: reading memory that was never written is a fault that says where; without it the program runs.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t
// RUN: %run %t 0
// RUN: %run --check=uninit %t 1
// RUN: %run --check=uninit %t 0 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// RUN: %run --check %t 0 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// CHECK: error: {{.*}}kernel '_start'
// CHECK: check.c:[[#@LINE + 10]]
// The driver of a GPU cannot tell.
// RUN: printf '.version 7.8\n.target sm_70\n.address_size 64\n.visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }\n' > %t.ptx
// RUN: GPUEXEC_DEVICE=cuda LD_LIBRARY_PATH=%build/test/fake-cuda %python %inputs/one_line.py 125 "--check: only the emulated device" %bin/gpuexec --check=uninit %t.ptx
#include <stdlib.h>

int main(int argc, char **argv) {
  volatile int *memory = malloc(64 << 20);
  if (atoi(argv[1]))
    memory[5] = 1;
  return memory[5] == 0x7fffffff;
}
