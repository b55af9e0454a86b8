// Handlers run once, last registered first, more than the 32 that the standard promises, after main or exit.
// RUN: %gpucc -O2 %s -o %t
// RUN: %hostcc %s -o %t.host
// RUN: %run %t > %t.out
// RUN: %t.host > %t.expected
// RUN: cmp %t.out %t.expected
// RUN: %run %t exit > %t.out; test $? -eq 3
// RUN: cmp %t.out %t.expected
#include <stdio.h>
#include <stdlib.h>

static int calls;
#define HANDLER(N) static void handler_##N(void) { printf("handler %d, call %d\n", N, ++calls); }
HANDLER(0) HANDLER(1) HANDLER(2) HANDLER(3) HANDLER(4) HANDLER(5) HANDLER(6) HANDLER(7)
static void (*const handlers[])(void) = {handler_0, handler_1, handler_2, handler_3,
                                         handler_4, handler_5, handler_6, handler_7};

static void late(void) { puts("registered by a handler"); }
static void early(void) { atexit(late); }

int main(int argc, char **argv) {
  atexit(early);
  for (int i = 0; i < 40; i++)
    if (atexit(handlers[i % 8]))
      puts("refused");
  puts("main");
  if (argc > 1)
    exit(3);
  return 0;
}
