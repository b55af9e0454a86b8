// A program that ran to its end without ever setting an exit status is told apart from one that succeeded. One thread that
// returns from main is enough for a status. Start-up code's word about it, overwritten, is noticed too.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %python %inputs/one_line.py 125 "never set an exit status" %run %t never
// RUN: %python %inputs/one_line.py 125 "never set an exit status" %run --threads 100 --blocks 3 %t never
// RUN: %run --threads 100 --blocks 3 %t return
// RUN: %run --threads 100 --blocks 3 %t exit; test $? -eq 3
// RUN: %python %inputs/one_line.py 125 "memory is corrupt,0x2a2a2a2a" %run %t corrupt
// Output is not lost with the status.
// RUN: %run %t print > %t.out; test $? -eq 125
// RUN: FileCheck %s < %t.out
// CHECK: printed
#include <gpuintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern __attribute__((visibility("protected"))) unsigned __gpuexec_main_returned;

static void corrupt(void) { memset(&__gpuexec_main_returned, 0x2a, sizeof __gpuexec_main_returned); }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "never";
  if (!strcmp(what, "corrupt")) {
    atexit(corrupt);
    return 0;
  }
  if (!strcmp(what, "print"))
    puts("printed");
  // Whole blocks: the end of one lane may be that of its wave.
  if (__gpu_block_id(0) == 1 && !strcmp(what, "return"))
    return 0;
  if (__gpu_block_id(0) == 1 && !strcmp(what, "exit"))
    exit(3);
  __gpu_exit();
}
