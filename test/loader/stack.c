// The stack of kernels that recurse: enough for ordinary C by default, --stack-size for more, behind it the heap. Without
// link-time optimisation there is no heap behind it, and an overflow says so.
// REQUIRES: emulator
// RUN: %gpucc %lanes -O1 -g %s -o %t
// RUN: %run %t 50000; test $? -eq 7
// RUN: %run --threads 256 --blocks 8 %t 100; test $? -eq 7
// RUN: %run --stack-size 32M %t 100000; test $? -eq 7
// RUN: %run --stack-size 8M --threads 64 %t 20000; test $? -eq 7
// RUN: %run --stack-size=64K %t 20000; test $? -eq 7
// RUN: %gpucc -O1 -fno-lto %s -o %t.stack
// RUN: %run --stack-size=64K %t.stack 20000 2> %t.err; test $? -eq 139; FileCheck %s --check-prefix=OVERFLOW < %t.err
// OVERFLOW: error: {{.*}}kernel '_start'
// OVERFLOW: stack overflow
// OVERFLOW: each thread had 65536 bytes of stack; {{.*}} (--stack-size)
// RUN: %python %inputs/one_line.py 125 "--stack-size: 1073741824 bytes per thread" %gpuexec --stack-size 1G %t 1
#include <stdlib.h>

__attribute__((noinline)) static unsigned deeper(unsigned depth, volatile unsigned *above) {
  volatile unsigned here[16] = {depth, *above};
  return depth ? deeper(depth - 1, here) + here[0] - here[0] : 7;
}

int main(int argc, char **argv) {
  volatile unsigned top = 0;
  return (int)deeper((unsigned)atoi(argv[1]), &top);
}
