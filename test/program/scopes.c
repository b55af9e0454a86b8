// Arrays of scopes that exclude each other share a place in the frame, those of scopes within each other do not.
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t 3 | FileCheck %s
// RUN: %gpucc -O0 -w %s -o %t.0
// RUN: %run %t.0 3 | FileCheck %s
// CHECK: errors 3 nested 0 loop 0 escaped 0 typed 0 jumps 15
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int errors;

static __attribute__((noinline)) void report(const char *text) { errors += strlen(text) > 3; }

static inline __attribute__((always_inline)) void fail(const char *kind, int number) {
  char text[256];
  snprintf(text, sizeof text, "%s %d", kind, number);
  report(text);
}

// What an interpreter looks like: a message in each case, and recursion.
static __attribute__((noinline)) int run(const char *code, int depth) {
  for (; *code; ++code)
    switch (*code) {
    case 'a': fail("first", depth); break;
    case 'b': fail("second", depth + 1); break;
    case 'c': fail("third", depth + 2); break;
    case 'd': fail("fourth", depth + 3); break;
    case 'e': fail("fifth", depth + 4); break;
    case 'f': fail("sixth", depth + 5); break;
    case 'g': fail("seventh", depth + 6); break;
    case 'h': fail("eighth", depth + 7); break;
    case '(': depth += depth < 100 ? run(code + 1, depth + 1) : 0; return depth;
    }
  return depth;
}

static __attribute__((noinline)) void fill(unsigned char *bytes, int count, int value) { memset(bytes, value, count); }

static __attribute__((noinline)) int differ(const unsigned char *bytes, int count, int value) {
  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += bytes[i] != (unsigned char)value;
  return wrong;
}

// The outer array lives while the inner ones come and go, of other sizes and alignments.
static __attribute__((noinline)) int nested(int n) {
  unsigned char outer[64];
  int wrong = 0;
  fill(outer, 64, n);
  if (n & 1) {
    _Alignas(64) unsigned char inner[200];
    fill(inner, 200, n + 1);
    {
      unsigned char innermost[33];
      fill(innermost, 33, n + 2);
      wrong += differ(innermost, 33, n + 2) + ((size_t)inner % 64 != 0);
    }
    wrong += differ(inner, 200, n + 1);
  } else {
    unsigned char other[300];
    fill(other, 300, n + 3);
    wrong += differ(other, 300, n + 3);
  }
  {
    unsigned char last[100];
    fill(last, 100, n + 4);
    wrong += differ(last, 100, n + 4);
  }
  return wrong + differ(outer, 64, n);
}

// A value is carried over the loop's back edge, the scratch array is not.
static __attribute__((noinline)) int loop(int n) {
  unsigned char kept[48];
  int wrong = 0;
  fill(kept, 48, n);
  for (int i = 0; i < 5; ++i) {
    unsigned char scratch[80];
    fill(scratch, 80, i);
    wrong += differ(scratch, 80, i) + differ(kept, 48, n + i);
    fill(kept, 48, n + i + 1);
  }
  return wrong;
}

// The address leaves the scope by a global variable, and is used while the scope is active.
static unsigned char *escaped_address;
static __attribute__((noinline)) int escaped(int n) {
  int wrong = 0;
  {
    unsigned char first[40];
    escaped_address = first;
    fill(first, 40, n);
    {
      unsigned char second[40];
      fill(second, 40, n + 1);
      wrong += differ(escaped_address, 40, n) + differ(second, 40, n + 1);
    }
    wrong += differ(escaped_address, 40, n);
  }
  {
    unsigned char third[40];
    fill(third, 40, n + 2);
    wrong += differ(third, 40, n + 2);
  }
  return wrong;
}

// The same place holds floats, then integers: the stores of the second must stay behind the loads of the first.
static __attribute__((noinline)) float sum(const float *values) { return values[0] + values[1] + values[2]; }
static __attribute__((noinline)) int typed(int n) {
  float total;
  {
    float values[3] = {n, n + 1, n + 2};
    total = sum(values) + values[n % 3];
  }
  int count;
  {
    int values[3] = {n * 3, n * 5, n * 7};
    count = values[n % 3] + values[(n + 1) % 3];
  }
  return total != 3 * n + 3 + n + n % 3 || count != (n % 3 == 0 ? n * 8 : n % 3 == 1 ? n * 12 : n * 10);
}

// Errors that do not return: their texts' scopes end by a jump, to a caller or within the function.
static jmp_buf on_error;
static __attribute__((noreturn, noinline)) void jump(const char *text) { longjmp(on_error, strlen(text)); }
static inline __attribute__((always_inline, noreturn)) void fail_by_jump(const char *kind, int number) {
  char text[256];
  snprintf(text, sizeof text, "%s %d", kind, number);
  jump(text);
}

static __attribute__((noinline)) int parse(const char *code, int depth) {
  for (; *code; ++code)
    switch (*code) {
    case 'a': fail_by_jump("a", depth);
    case 'b': fail_by_jump("bb", depth);
    case 'c': fail_by_jump("ccc", depth);
    case 'd': fail_by_jump("dddd", depth);
    case 'e': fail_by_jump("eeeee", depth);
    case 'f': fail_by_jump("ffffff", depth);
    case '(': return parse(code + 1, depth + 1) + 1;
    }
  return depth;
}

static __attribute__((noinline)) int run_with_jumps(const char *code, int n) {
  volatile int total = 0;
  int length = setjmp(on_error);
  if (length) {
    total += length;
    if (total > 9)
      return total;
  }
  switch (n + total) {
  case 3: fail_by_jump("ccc", n);
  case 8: fail_by_jump("bb", n + 1);
  default: return total + parse(code, n);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  run("a(b", 98);
  run("h", 0);
  printf("errors %d nested %d loop %d escaped %d typed %d jumps %d\n", errors, nested(n) + nested(n + 1), loop(n), escaped(n), typed(n),
         run_with_jumps("(((d", n));
}
