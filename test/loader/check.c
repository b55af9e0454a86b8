// --check=uninit: a branch that depends on memory which was never written is a fault that says where; without it the
// program runs.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t
// RUN: %run %t 0
// RUN: %run --check=uninit %t 1
// RUN: %run --check=uninit %t 0 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// RUN: %run --check %t 0 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// CHECK: error: {{.*}}kernel '_start': {{.*}}
// CHECK-NEXT: device fault: use of an undefined value: a branch depends on it
// CHECK-NEXT: it was loaded from address 0x[[#%x,AT:]], which is
// CHECK-NEXT: byte {{[0-9]+}} of allocation {{[0-9]+}} ({{[0-9]+}} bytes of device memory at 0x{{[0-9a-f]+}})
// CHECK: in main {{.*}}check.c:[[#@LINE + 15]]
// Small pieces too; calloc's are written.
// RUN: %run --check %t 0 100 2> %t.err; test $? -eq 139; FileCheck %s < %t.err
// RUN: %run --check %t 0 100 calloc
// The driver of a GPU cannot tell.
// RUN: printf '.version 7.8\n.target sm_70\n.address_size 64\n.visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }\n' > %t.ptx
// RUN: GPUEXEC_DEVICE=cuda LD_LIBRARY_PATH=%build/test/fake-cuda %python %inputs/one_line.py 125 "--check: only an emulated AMD GPU" %bin/gpuexec --check=uninit %t.ptx
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  size_t size = argc > 2 ? atoi(argv[2]) : 64 << 20;
  volatile int *memory = argc > 3 ? calloc(1, size) : malloc(size);
  if (atoi(argv[1]))
    memory[5] = 1;
  if (memory[5] == 0x7fffffff)
    puts("all ones");
  return 0;
}
