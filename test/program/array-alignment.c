// A static array of characters is aligned as on x86-64, so that a program may keep objects in it; thread-local ones too.
// RUN: %gpucc -O0 %s -o %t && %run --threads 64 %t
// RUN: %gpucc -O2 %s -o %t && %run --threads 64 %t
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static char odd1 = 1, pool[1000], odd2 = 2, small[16], odd3 = 3;
char odd4 = 4, global_pool[20] = "initialised", odd5 = 5;
static _Thread_local char own[40];

static char *volatile places[] = {pool, small, global_pool};

int main(void) {
  volatile char *odd[] = {&odd1, &odd2, &odd3, &odd4, &odd5};
  int sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += *odd[i];
  for (int i = 0; i < 3; ++i)
    if ((size_t)places[i] % 16)
      return printf("array %d is at %p\n", i, (void *)places[i]), 1;
  char *volatile mine = own;
  if ((size_t)mine % 16)
    return printf("the thread's array is at %p\n", (void *)mine), 1;
  _Atomic unsigned long *count = (_Atomic unsigned long *)places[0];
  return atomic_fetch_add(count, 1) > 63 || sum != 15;
}
