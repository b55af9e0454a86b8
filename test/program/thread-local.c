// Thread-local variables: initialised and zero, aligned, static in functions, of another file, their addresses passed on. As on
// the host in one thread; in many, each thread has its own, and the first thread's are those of constructors and exit handlers.
// RUN: %hostcc -DOTHER -c %s -o %t.other.o
// RUN: %hostcc %s %t.other.o -o %t.host
// RUN: %gpucc %lanes -O0 -DOTHER -c %s -o %t.0.o
// RUN: %gpucc %lanes -O0 %s %t.0.o -o %t.0
// RUN: %gpucc %lanes -O2 -DOTHER -c %s -o %t.2.o
// RUN: %gpucc %lanes -O2 %s %t.2.o -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.2 | diff %t.expected -
// RUN: %run --threads 256 --blocks 16 %t.0 | FileCheck %s
// RUN: %run --threads 256 --blocks 16 %t.2 | FileCheck %s
// RUN: %run --threads 3 --blocks 1366 %t.2 | FileCheck %s
// CHECK: {{4096|4098}} threads, 0 wrong
// CHECK: at exit: 106
#include "../Inputs/expect.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char letter;
  const char *text;
};
extern _Thread_local int counter;
extern __thread struct pair pair;
int *address_of_counter(void);
int next_number(void);

#ifdef OTHER
_Thread_local int counter = 5;
__thread struct pair pair = {'p', "pair"};
static _Thread_local int counter_of_file = 20;
int *address_of_counter(void) { return &counter; }
int next_number(void) {
  static __thread int number;
  return counter_of_file + number++;
}
#else

static _Thread_local char zeros[5000];
static _Thread_local _Alignas(16) struct {
  char bytes[16];
} sixteen = {"sixteen"};
static __thread _Alignas(64) double sixty_four[3] = {1, 2, 3};
static __thread _Alignas(256) short wide;
static _Thread_local int counter_of_file = 10; // another in the other file
static const char *volatile text = "text";

static unsigned wrong, done;

static void at_exit(void) { printf("at exit: %d\n", counter); }
__attribute__((constructor)) static void construct(void) {
  counter += 100;
  atexit(at_exit);
}

__attribute__((noinline)) static void add(int *to, int what) { *to += what; }

int main(void) {
  const int me = (int)thread_of_the_grid(), before = me ? 5 : 105;
  bool good = EXPECT(counter == before, "%d", counter);
  add(&counter, 1);
  good &= EXPECT(address_of_counter() == &counter && *address_of_counter() == before + 1, "%d", counter);
  good &= EXPECT(((uintptr_t)&sixteen | (uintptr_t)sixty_four >> 2 | (uintptr_t)&wide >> 4) % 16 == 0, "%p %p %p",
                 (void *)&sixteen, (void *)sixty_four, (void *)&wide);
  good &= EXPECT(!strcmp(sixteen.bytes, "sixteen") && sixty_four[2] == 3 && !wide, "%s %g", sixteen.bytes, sixty_four[2]);
  for (unsigned i = 0; i < sizeof zeros; ++i)
    good &= EXPECT(!zeros[i], "%u: %d", i, zeros[i]);
  memset(zeros, me, sizeof zeros);
  pair.text = text;
  pair.letter += (char)(me % 3);
  for (int i = 0; i < 3 + me % 5; ++i)
    good &= EXPECT(next_number() == 20 + i, "%d", i);
  good &= EXPECT(counter_of_file++ == 10, "%d", counter_of_file);
  for (unsigned i = 0; i < sizeof zeros; ++i)
    good &= EXPECT(zeros[i] == (char)me, "%u: %d", i, zeros[i]);
  good &= EXPECT(pair.letter == 'p' + me % 3 && pair.text == text, "%c %s", pair.letter, pair.text);
  __atomic_fetch_add(&wrong, !good, __ATOMIC_RELAXED);
  unsigned threads = 1;
#ifdef __gpuexec__
  threads = __gpu_num_threads_x() * __gpu_num_blocks_x();
#endif
  if (__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL) == threads)
    printf("%u threads, %u wrong\n", threads, wrong);
  return 0;
}
#endif
