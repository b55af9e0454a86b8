// Assembly without an instruction hides values from the optimiser and orders accesses to memory. Every constraint that ordinary C
// uses is accepted and changes nothing.
// RUN: %hostcc -O2 -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O0 -w %s -o %t.0
// RUN: %run %t.0 | diff %t.expected -
// RUN: %gpucc %lanes -O2 -w %s -o %t.2
// RUN: %run %t.2 | diff %t.expected -
// RUN: %run --threads 128 %t.2 | sort | uniq -c | FileCheck %s
// CHECK-NOT: {{^ *([0-9]|[0-9][0-9]|1[013-9][0-9]|12[0-79]) }}
#include <stdint.h>
#include <stdio.h>

#define HIDE(constraint, type, value)                                                                                  \
  ({                                                                                                                   \
    type hidden = (type)(value);                                                                                       \
    __asm__ volatile("" : "+" constraint(hidden));                                                                     \
    hidden;                                                                                                            \
  })
#define BOTH(type, value)                                                                                              \
  (HIDE("r", type, value) + HIDE("m", type, value) + HIDE("rm", type, value) + HIDE("g", type, value))

struct pair {
  int a, b;
};
struct quad {
  long a, b;
};
int global = 3;

// asm goto without an instruction falls through.
static int jumps(int n) {
  int sum = n;
  __asm__ goto("" : : "r"(n), "m"(global), "i"(4) : "memory" : first, second);
  sum += 10;
  __asm__ goto("" : "+r"(sum) : : : second);
  sum += 100;
first:
  __asm__ goto("" : : : "memory" : first); // its own label
second:
  return sum;
}

// An output for which the compiler may choose memory, tied to an input; text that is a comment; registers of several words.
static void tied(int n) {
  int general, either;
  __asm__ volatile("# %0" : "=g"(general) : "0"(n));
  __asm__ volatile("/* %0 */ // %1" : "=rm"(either) : "0"(n + 1));
  __int128 wide = (__int128)n << 100 | n;
  __asm__ volatile("" : "+r"(wide));
  _Complex float complex = n, same;
  __asm__ volatile("" : "=&r"(same) : "0"(complex));
  struct quad quad = {n, 2 * n};
  __asm__ volatile("" : "+r,m"(quad));
  char accumulator = (char)n;
  __asm__ volatile("" : "+X"(accumulator));
  printf("%d %d %lx %lx %g %ld %ld %d\n", general, either, (long)(wide >> 64), (long)wide, (double)__real__ same, quad.a, quad.b,
         accumulator);
}

int main(int argc, char **argv) {
  int n = argc + 6;
  printf("%d %d %ld %d\n", BOTH(char, n), BOTH(short, n), BOTH(long, n), BOTH(int, n));
  printf("%u %lu %d\n", BOTH(unsigned, n), BOTH(uint64_t, n), BOTH(_Bool, n));
  double d = n;
  float f = n;
  __asm__ volatile("" : "+m"(d), "+m"(f));
  __asm__ volatile("" ::"m"(d), "m"(f) : "memory");
  printf("%g %g\n", d, (double)f);

  int same, other = n;
  __asm__("" : "=r"(same) : "0"(other));
  long two, three;
  __asm__ volatile("\n\t" : "=r"(two), "=r"(three) : "0"(2l * n), "1"(3l * n));
  unsigned char byte;
  __asm__ volatile("" : "=r"(byte) : "0"((unsigned char)(n + 1)));
  printf("%d %ld %ld %d\n", same, two, three, byte);

  struct pair pair = {1, 2}, *address = &pair;
  __asm__ volatile("" : "+m"(pair));
  __asm__ volatile("" : "+r"(address)::"memory");
  __asm__ volatile("" ::"r"(address), "g"(&global), "i"(4), "n"(5), "X"(pair.a) : "cc", "memory");
  __asm__ volatile("" ::"r,m"(n));
  address->a += global;
  __asm__ volatile("" ::: "memory");
  printf("%d %d\n", pair.a, address->b);

  unsigned sum = 0;
  for (int i = 0; i < n * 10; i++) { // benchmarks keep a loop so
    __asm__ volatile("" : "+r"(i));
    sum += (unsigned)i;
    __asm__ volatile("" : "+r"(sum) : : "memory");
  }
  if (n % 2)
    __asm__ volatile("" : "+r"(sum));
  printf("%u %d\n", sum, jumps(n));
  tied(n);
  return 0;
}
