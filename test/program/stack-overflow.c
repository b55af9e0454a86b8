// Where recursion cannot go on, neither on the stack nor in the heap, the program ends with a message. What it has printed
// arrives. "plain": the function allocates arrays of variable length.
// RUN: %gpucc -O2 -w %s -o %t
// RUN: not %run --stack-size 16K --heap-size 16M %t heap > %t.out 2> %t.error
// RUN: FileCheck %s --check-prefix=HEAP < %t.error
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: not %run --stack-size 16K %t plain > %t.out 2> %t.error
// RUN: FileCheck %s --check-prefix=PLAIN < %t.error
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// OUT: before
// HEAP: stack overflow: no memory for the frames of a recursion
// HEAP: aborted
// PLAIN: stack overflow: a thread has 16384 bytes of stack (--stack-size)
// PLAIN: aborted
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long endless(long n) { return n == -1 ? 0 : endless(n + 1) * 3 + n; }

static long plain(long n) {
  char text[n % 10 + 8];
  memset(text, (int)n, sizeof text);
  return n == -1 ? 0 : plain(n + 1) * 3 + text[n % 8];
}

int main(int argc, char **argv) {
  puts("before");
  volatile long from = argc - 2;
  printf("%ld\n", argv[1][0] == 'h' ? endless(from) : plain(from));
  free(malloc((size_t)argc));
  return 0;
}
