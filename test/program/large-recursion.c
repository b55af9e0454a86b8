// Recursive functions with arrays of some KiB, as in walks over directories, need little stack: such arrays are in memory of the
// thread's own. Direct recursion, two functions that call each other, and a jump out of all of them.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 2; do %gpucc %lanes -O$level -w %s -o %t.$level && %run --stack-size 64K %t.$level | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
// RUN: %run --threads 64 --stack-size 64K --heap-size 256M %t.2 > %t.many
// RUN: sort %t.many | uniq -c | FileCheck %s
// CHECK: 64 even
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static int walk(const char *path, int depth) {
  char inner[2000];
  snprintf(inner, sizeof inner, "%s/%d", path, depth);
  int length = depth ? walk(inner, depth - 1) : 0;
  return length + (int)strlen(inner);
}

static int odd(int n);
static int even(int n) {
  char digits[1500];
  memset(digits, n, sizeof digits);
  return n ? odd(n - 1) + digits[1499] : 1;
}
static int odd(int n) {
  int squares[400];
  for (int i = 0; i < 400; ++i)
    squares[i] = i * n;
  return n ? even(n - 1) + squares[399] : 0;
}

static jmp_buf found;
static void search(int n) {
  char tried[3000];
  memset(tried, n, sizeof tried);
  if (n == 90)
    longjmp(found, tried[2999]);
  search(n + 1);
  puts(tried); // never
}

int main(void) {
  printf("walk %d\n", walk(".", 100));
  printf("even %d\n", even(100));
  for (volatile int i = 0; i < 20; ++i) {
    int at = setjmp(found);
    if (!at)
      search(0);
    if (i == 19)
      printf("found %d\n", at);
  }
  return 0;
}
