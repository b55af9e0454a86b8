// Without an NVIDIA GPU PTX runs on an emulated one: by itself, by name, by architecture and by number. It prints, allocates,
// reads files, starts threads, exits and faults there as on others.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir %t && cd %t && %bin/gpucc --arch=sm_90 --emit-ptx -O2 %s -o ptx && echo "a line" > file
// RUN: export LD_LIBRARY_PATH=%build/test/fake-cuda FAKE_CUDA_DEVICES=0 GPUEXEC_DEVICE=
// RUN: for device in auto emulator emulator:sm_90 emulator:6; do \
// RUN:   %bin/gpuexec --device=$device --timeout=200 ptx file > out; test $? = 7 && FileCheck %s < out || echo "failed: $device"; done > result
// RUN: not grep . result
// CHECK: main of ptx: a line
// CHECK: sum 499500
// CHECK: at the end
// RUN: %bin/gpuexec --list-devices | FileCheck %s --check-prefix=LIST
// LIST: emulator:6 gpuexec emulated CUDA device (sm_90), 48 multiprocessors
// RUN: %bin/gpucc --arch=sm_90 --emit-ptx -g %s -o with-lines && not %bin/gpuexec --timeout=200 with-lines 2> err; FileCheck %s --check-prefix=FAULT < err
// FAULT: device fault: write of 4 bytes: unmapped memory
// FAULT: #0 {{.*}} in main emulated.c:[[#@LINE + 35]]
// FAULT: gpuexec: error: {{.*}}with-lines: kernel '_start': an illegal memory access was encountered
// FAULT-NOT: --fault-report

// A shell that is given the text as a program starts gpuexec with it; without a gpuexec it says so.
// RUN: env PATH=%bin:/usr/bin:/bin sh -c './ptx file' > out; test $? = 7 && FileCheck %s --check-prefix=SHELL < out
// SHELL: main of ./ptx: a line
// RUN: env PATH=/usr/bin:/bin sh -c './ptx file' 2> err; test $? = 127 && grep 'env: .*gpuexec' err

// A folder for translated kernels that cannot be used is told, once.
// RUN: env GPUEXEC_PTX_CACHE=%t/file/none %bin/gpuexec ptx file > /dev/null 2> err; test $? = 7 && grep -c 'gpuexec cuda: warning: GPUEXEC_PTX_CACHE: ' err | grep -x 1

// An architecture that is too old; machine code; and what only emulated AMD GPUs can do.
// RUN: %python %inputs/one_line.py 126 "ptx: built for sm_90 (PTX), the device is sm_75" %bin/gpuexec --device=emulator:sm_75 ptx
// RUN: %python %inputs/one_line.py 125 "--stats: only an emulated AMD GPU can do that" %bin/gpuexec --stats ptx
// RUN: %python %inputs/one_line.py 125 "the emulated NVIDIA GPU runs in gpuexec's own process only: not with --sandbox" %bin/gpuexec --sandbox ptx
// RUN: printf '.version 7.8\n.target sm_90\n.address_size 64\n.visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d) { frob; }\n' > bad
// RUN: not %bin/gpuexec bad 2> err; FileCheck %s --check-prefix=BAD < err
// BAD: gpuexec: error: bad: emulator:6 cannot load it: {{.*}}frob
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long parts[4];

static void *part(void *number) {
  for (long i = 0; i < 250; ++i)
    parts[(long)number] += 250 * (long)number + i;
  return NULL;
}

static void end(void) { puts("at the end"); }

int main(int argc, char **argv) {
  if (argc < 2)
    *(volatile int *)0x123456789000 = 1;
  char *line = malloc(100);
  FILE *file = fopen(argv[1], "r");
  printf("main of %s: %s", argv[0], fgets(line, 100, file));
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, part, (void *)i);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  printf("sum %ld\n", parts[0] + parts[1] + parts[2] + parts[3]);
  atexit(end);
  return 7;
}
