// Local arrays that are larger than a GPU's frame: in main, in recursive and inlined functions, with alignment, as variable-length
// arrays beside; every way out of a function frees them, longjmp too. As on the host, at all levels and in many threads.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O0 -w %s -o %t.0
// RUN: %run %t.0 | diff %t.expected -
// RUN: %gpucc %lanes -O2 -w %s -o %t.2
// RUN: %run --heap-size 64M %t.2 | diff %t.expected -
// RUN: %gpucc -O2 -fno-lto -DNO_JUMPS -w %s -o %t.objects
// RUN: %run %t.objects | diff %t.expected -
// RUN: %run --threads 64 --blocks 2 %t.2 x | sort | uniq -c | FileCheck %s
// CHECK: 128 recursion 1275
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

struct record {
  _Alignas(128) double values[5000];
  char name[70000];
};

static int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; i += 997)
    total += values[i];
  return total;
}
static int early(int n) {
  int values[20000];
  for (int i = 0; i < 20000; i++)
    values[i] = i * n;
  if (n % 3 == 0)
    return -1;
  for (int i = 0; i < n; i++)
    if (values[i] == 8)
      return i;
  return sum(values, 20000);
}
static int recursion(int depth) {
  char large[40000];
  memset(large, depth, sizeof large);
  int below = depth ? recursion(depth - 1) : 0;
  return below + large[39999 - depth];
}
static void make(struct record *made, int n) {
  struct record record = {{n}, "record"};
  record.values[4999] = n + 0.5;
  *made = record;
}
#ifndef NO_JUMPS
static int jumping(int n, jmp_buf back) {
  char large[200000];
  large[n] = (char)n;
  if (n == 3)
    longjmp(back, large[n]);
  return jumping(n + 1, back) + large[n];
}
static int jumps(int times) { // frees what three functions have each time
  jmp_buf back;               // of this thread
  volatile int sum = 0;
  for (volatile int i = 0; i < times; i++) {
    int outer[10000];
    outer[i % 10000] = i;
    int value = setjmp(back);
    if (!value)
      jumping(0, back);
    sum += value + (outer[i % 10000] == i);
  }
  return sum;
}
#else
static int jumps(int times) { return 4 * times; }
#endif
static int variable_length(int n) {
  int fixed[10000], variable[n];
  for (int i = 0; i < n; i++)
    variable[i] = fixed[i] = i;
  return variable[n - 1] + fixed[n - 1];
}

int main(int argc, char **argv) {
  int passes = argc > 1 ? 2 : 300; // more than the heap has if nothing is freed
  long total = 0;
  for (int i = 0; i < passes; i++)
    total += early(i);
  printf("early %ld\n", total);
  printf("recursion %d\n", recursion(50));
  struct record record, *address = &record;
  make(address, 7);
  printf("record %s %g %g %lu\n", address->name, record.values[0], address->values[4999], (unsigned long)address % 128);
  printf("variable %d\n", variable_length(900));
  printf("jumps %d\n", jumps(passes));
  double big[40000];
  for (int i = 0; i < 40000; i++)
    big[i] = i;
  double all = 0;
  for (int i = 0; i < 40000; i++)
    all += big[(long)i * 7 % 40000];
  printf("main %.1f\n", all);
  return 0;
}
