// alloca() in functions with calls in nested divergent code: where such functions saved registers by a frame pointer that was
// not set yet, they faulted when they began.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --heap-size 64M %t | diff %t.expected -
// RUN: %run --threads 64 --blocks 2 %t many
#include "../Inputs/expect.h"
#include <alloca.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) float slow(float x, int n) {
  volatile float sum = x;
  for (int i = 0; i < n; ++i)
    sum += 1.0f / (float)(i + 1);
  return sum;
}

static __attribute__((noinline)) float *curve(const float *from, int n, float boost) {
  float table[8][4][16];
  float *scratch = alloca((unsigned)n * sizeof *scratch);
  memset(table, 0, sizeof table);
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 4; ++k) {
      for (int m = 0; m < 16; ++m) {
        if (from[i] > (float)m)
          table[i][k][m] = slow(from[i] + (float)m, k);
        else if (from[m & 7] < (float)k)
          table[i][k][m] = slow(boost, m);
        while (table[i][k][m] > 40.0f)
          table[i][k][m] = slow(table[i][k][m] / 2, 1) - 3;
      }
    }
    for (int k = 0; k < n; ++k)
      scratch[k] = k < 16 ? table[i][k & 3][k] : slow(scratch[k & 15], k & 7);
  }
  float *result = malloc(16 * sizeof *result);
  for (int k = 0; k < 16; ++k)
    result[k] = scratch[k] + scratch[n - 1 - k];
  return result;
}

static jmp_buf out;
static __attribute__((noinline)) int jump(int depth, int n) {
  char *text = alloca((unsigned)n);
  memset(text, depth, (unsigned)n);
  if (depth == 0)
    longjmp(out, text[n - 1] + 1);
  return jump(depth - 1, n + 1) + text[0];
}

// The large array moves to the heap too: both are given back.
static __attribute__((noinline)) int beside_large(int n) {
  volatile char large[40000];
  volatile char *text = alloca((unsigned)n);
  large[n % 40000] = 1;
  text[n - 1] = 2;
  return large[n % 40000] + text[n - 1];
}

int main(int argc, char **argv) {
  (void)argv;
  float from[8];
  for (int i = 0; i < 8; ++i)
    from[i] = (float)(i * argc);
  float *values = curve(from, 64, 2.5f);
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += (double)values[k];
  free(values);
  if (argc > 1)
    return 0;
  printf("%.4f\n", sum);
  int total = 0;
  for (int round = 0; round < 2000; ++round)
    total += beside_large(50000);
  printf("%d\n", total);
  for (int round = 0; round < 300; ++round) // what a jump leaves behind would fill the heap
    if (!setjmp(out))
      jump(20, 10000);
  return 0;
}
