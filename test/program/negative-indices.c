// An unsigned difference as an index, almost 2^64, is an element in front of the pointer: it has what was stored there before.
// RUN: %gpucc -O2 %s -o %t && %run %t | FileCheck %s --match-full-lines
#include <stddef.h>
#include <stdio.h>

// LLVM asks whether a load may be moved in front of a store when it knows that the offset is small.
#define SMALL(offset) ((offset) != 0 && (offset) < 16)

// CHECK: abcabcabcabcabcabc
__attribute__((noinline)) static void repeat(char *to, size_t offset) {
  if (SMALL(offset))
    for (int i = 0; i < 15; i++)
      to[i] = to[i - offset];
}

// CHECK-NEXT: 1 2 3 5 8 13 21 34
__attribute__((noinline)) static void add(int *to, size_t one, size_t two) {
  if (SMALL(one) && SMALL(two))
    for (int i = 0; i < 6; i++)
      *(to + i) = *(to + (i - one)) + *(to + (i - two));
}

// CHECK-NEXT: 1 10 100 1000
__attribute__((noinline)) static void multiply(long *to, size_t offset) {
  if (SMALL(offset))
    for (int i = 0; i < 3; i++) {
      long *from = to + i;
      from += 0 - offset;
      to[i] = *from * 10;
    }
}

int main(int count, char **arguments) {
  (void)arguments;
  char text[32] = "abc";
  repeat(text + 3, 2 + count);
  puts(text);
  int sums[8] = {1, 2};
  add(sums + 2, count, 1 + count);
  for (int i = 0; i < 8; ++i)
    printf(i ? " %d" : "%d", sums[i]);
  long products[4] = {1};
  multiply(products + 1, count);
  printf("\n%ld %ld %ld %ld\n", products[0], products[1], products[2], products[3]);
  return 0;
}
