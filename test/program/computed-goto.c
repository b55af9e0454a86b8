// GNU C's labels as values: an interpreter by computed gotos, with tables of addresses and of differences.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O0 -w %s -o %t.0 && %gpucc -O2 -w %s -o %t.2 && %gpucc -O2 -w -fno-lto %s -o %t.separate
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.2 | diff %t.expected -
// RUN: %run %t.separate | diff %t.expected -
// RUN: %run --threads 64 --blocks 4 %t.separate | sort | uniq -c | awk '$1 != 256 { exit 1 }'
#include <stdio.h>
#include <string.h>

static long interpret(const char *code) {
  static void *const labels[] = {['+'] = &&add, ['-'] = &&subtract, ['*'] = &&twice, ['['] = &&loop, [']'] = &&again, [0] = &&end};
  long value = 1, count = 3;
  const char *start = code;
#define NEXT goto *labels[(unsigned char)*code++]
  NEXT;
add:
  ++value;
  NEXT;
subtract:
  value -= 2;
  NEXT;
twice:
  value *= 2;
  NEXT;
loop:
  start = code;
  NEXT;
again:
  if (--count > 0)
    code = start;
  NEXT;
end:
  return value;
}

static int by_difference(int which) {
  static const int table[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
  int result = which;
  goto *(&&zero + table[which % 3]);
two:
  result += 20;
one:
  result += 10;
zero:
  return result;
}

int main(void) {
  static const char *const programs[] = {"", "+", "+*-", "[+*]", "[++-*]+[*-]", "********"};
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; ++i)
    printf("%s: %ld\n", programs[i], interpret(programs[i]));
  for (int i = 0; i < 6; ++i)
    printf("%d %d\n", i, by_difference(i));
  return 0;
}
