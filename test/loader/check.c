// --check=uninit: reading memory that was never written is a fault that says where; without it the program runs.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t
// RUN: %run %t 0
// RUN: %run --check=uninit %t 1
// RUN: %run --check=uninit %t 0 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// RUN: %run --check %t 0 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// CHECK: error: {{.*}}kernel '_start': memory fault at {{0x[0-9a-f]+$}}
// CHECK-NEXT: device fault: read of uninitialized memory
// CHECK: check.c:[[#@LINE + 14]]
// Small pieces too, as long as nobody had them before; calloc's are written.
// RUN: %run --check %t 0 100 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// RUN: %run --check %t 0 100 calloc
// The driver of a GPU cannot tell.
// RUN: printf '.version 7.8\n.target sm_70\n.address_size 64\n.visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }\n' > %t.ptx
// RUN: GPUEXEC_DEVICE=cuda LD_LIBRARY_PATH=%build/test/fake-cuda %python %inputs/one_line.py 125 "--check: only the emulated device" %bin/gpuexec --check=uninit %t.ptx
#include <stdlib.h>

int main(int argc, char **argv) {
  size_t size = argc > 2 ? atoi(argv[2]) : 64 << 20;
  volatile int *memory = argc > 3 ? calloc(1, size) : malloc(size);
  if (atoi(argv[1]))
    memory[5] = 1;
  return memory[5] == 0x7fffffff;
}
