// A choice between arrays of a function's own by a condition that is the same for all lanes, and one of an array of such
// pointers, an address that such a condition is added to, and a choice between two variables. LLVM 22 lost the condition, and
// with that a test of jansson failed, stb wrote other pictures, and a tester of BLAS passed wrong sizes.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 3 s z; do %gpucc %lanes -O$level %s -o %t.$level || { echo "failed to compile: level=$level" >&2; exit 1; }; done
// RUN: %gpucc -O1 -fno-lto %s -o %t
// RUN: for level in 0 1 2 3 s z; do %run %t.$level > %t.out && diff %t.expected %t.out || { echo "failed: level=$level" >&2; exit 1; }; done
// RUN: %run --threads 64 --blocks 2 %t | sort -u > %t.out && sort -u %t.expected | diff - %t.out
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void show(const char *what) { puts(what); }

__attribute__((noinline)) static void choose(int count) {
  char a[40], b[40], c[40];
  strcpy(a, "first");
  strcpy(b, "second");
  strcpy(c, "third");
  for (int i = 0; i < count; ++i) {
    const char *p = i & 1 ? a : b;
    const char *q = i == 2 ? c : i == 4 ? p : b;
    show(p);
    show(q + (i == 5));
  }
}

__attribute__((noinline)) static void pick(int count) {
  const char a[] = {'o', 'n', 'e', 0}, b[] = {'t', 'w', 'o', 0}, c[] = {'t', 'h', 'r', 'e', 'e', 0}, d[] = {'f', 'o', 'u', 'r', 0};
  const char *all[] = {a, b, c, d};
  for (int i = 0; i < count; ++i)
    show(all[i]);
  for (int i = 0; i < count; ++i)
    show(i == 1 ? b + 1 : i == 2 ? &c[2] : all[3 - i]);
}

// The condition is the same for all lanes because the loop is.
__attribute__((noinline)) static void add(void) {
  char a[40], b[40];
  strcpy(a, "0123456789");
  strcpy(b, "abcdefghij");
#pragma clang loop unroll(disable)
  for (int n = 1; n < 7; ++n) {
    const int one = n > 2 ? 1 : 0, two = n > 2 ? 2 : 0;
    const char *p = a + one, *q = a + two, *r = b + 3 - (n == 4), *s = &b[1 + n + (n & 1 ? 1 : 0)];
#pragma clang loop unroll(disable)
    for (int i = 0; i < n; ++i) {
      show(p + i);
      show(q + i);
    }
    show(r);
    show(s);
  }
}

__attribute__((noinline)) static void fill(char *text, int *m, short *s, int *n, short *t, int i) {
  sprintf(text, "%d %d", *m = 10 + i, *n = 20 + i);
  *s = -30 - i;
  *t = -40 - i;
}
__attribute__((noinline)) static void load(const char *letters, int *sum) {
  char text[40];
  int m, n;
  short s, t;
#pragma clang loop unroll(disable)
  for (int i = 0; letters[i]; ++i) {
    fill(text, &m, &s, &n, &t, i);
    const int chosen = letters[i] == 'L' ? m : n;
    *sum += chosen;
    const int extended = letters[i] == 'L' ? s : t;
    printf("%s: %d %d %d\n", text, chosen, extended, *sum);
  }
}

int main(int argc, char **argv) {
  int sum = 0;
  load("LRRLL", &sum);
  choose(5 + argc);
  add();
  pick(3 + argc);
  return 0;
}
