// Lengths of integers in a printf that the host formats: every argument after a wide one is where it should be.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#include <stdio.h>

int main(void) {
  const unsigned long long large = 1ull << 40;
  const char *text = "a text that needs more than a packet when it is sent with four others of its kind";
  printf("%Lu %d %Ld %Lx %Lf %d\n", large, 1, -5LL, large, 2.5L, 7); // glibc takes L with an integer as ll
  printf("%hhd %hd %d %ld %lld %jd %zd %td %d\n", 300, 70000, 70000, -1L, -1LL, -1L, (long)large, (long)large, 7);
  printf("%s %Lu %s %d %s %Ld %d\n", text, large, text, 1, text, -5LL, 7);
  return 0;
}
