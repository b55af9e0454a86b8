// Where recursion cannot go on, neither on the stack nor in the heap, the program ends as by a fault, with a message. What it
// has printed arrives. "plain": the function allocates arrays of variable length. The emulated GPU says who recursed.
// RUN: %gpucc -O2 -g -w %s -o %t
// RUN: %run --stack-size 16K --heap-size 16M %t heap > %t.out 2> %t.error; test $? -eq 139
// RUN: FileCheck %s --check-prefix=HEAP < %t.error
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: %run --stack-size 16K --recursion-size=2M %t heap > %t.out 2> %t.error; test $? -eq 139
// RUN: FileCheck %s --check-prefix=LIMIT < %t.error
// RUN: %if emulator %{ FileCheck %s --check-prefix=WHERE < %t.error %}
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: %run --stack-size 16K %t plain > %t.out 2> %t.error; test $? -eq 139
// RUN: %if emulator %{ FileCheck %s --check-prefix=PLAIN < %t.error %}
// RUN: %if nvptx %{ FileCheck %s --check-prefix=USUAL < %t.error %}
// RUN: %if emulator %{ FileCheck %s --check-prefix=PLAIN-WHERE < %t.error %}
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// What a thread may take unless the user says so is bounded: 256 MiB.
// RUN: %if emulator %{ bash -c 'ulimit -v 8000000; %run %t heap' %} %else %{ %run %t heap %} > %t.out 2> %t.error; test $? -eq 139
// RUN: FileCheck %s --check-prefix=USUAL < %t.error
// RUN: %run --recursion-size=1G --heap-size=1M %t few
// OUT: before
// HEAP: gpuexec: stack overflow: no memory for the frames of a recursion (--heap-size)
// LIMIT: gpuexec: stack overflow: a recursion takes more than 2097152 bytes beyond the stack (--recursion-size)
// WHERE: device fault: stack overflow in endless {{.*}}stack-overflow.c:[[# @LINE + 12]]
// WHERE: in endless {{.*}}stack-overflow.c:[[# @LINE + 11]]
// PLAIN: gpuexec: stack overflow: a thread has 16384 bytes of stack (--stack-size)
// PLAIN-WHERE: device fault: stack overflow in plain {{.*}}stack-overflow.c:
// PLAIN-WHERE: in plain {{.*}}stack-overflow.c:
// USUAL: gpuexec: stack overflow: a recursion takes more than 268435456 bytes beyond the stack (--recursion-size)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long last = -1;

static long endless(long n) { return n == -1 || n == last ? 0 : endless(n + 1) * 3 + n; }

static long plain(long n) {
  char text[n % 10 + 8];
  memset(text, (int)n, sizeof text);
  return n == -1 ? 0 : plain(n + 1) * 3 + text[n % 8];
}

int main(int argc, char **argv) {
  puts("before");
  volatile long from = argc - 2;
  if (argv[1][0] == 'f') // few
    last = from + 100000;
  printf("%ld\n", argv[1][0] != 'p' ? endless(from) : plain(from));
  free(malloc((size_t)argc));
  return 0;
}
