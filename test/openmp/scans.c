// reduction(inscan): the value before the loop counts, for every type and operator.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %gpucc -fopenmp -g -c %s -o %t.g
// RUN: %run --threads 128 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 64 --blocks 3 %t.2 | FileCheck %s
// RUN: not %gpucc -fopenmp -DREFUSED -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK: in 15: 6 8 11 15, ex 15: 5 6 8 11
// CHECK-NEXT: wrong: 0
#include <stdio.h>

enum { N = 50 };

#ifdef REFUSED
static int all;
void refused(int *sums, int sum) {
// REFUSED: scans.c:[[#@LINE + 1]]:{{.*}}error: clang 22 cannot compile reduction(inscan) of a static variable
#pragma omp parallel for reduction(inscan, + : all)
  for (int i = 0; i < N; ++i) {
    all += i;
#pragma omp scan inclusive(all)
    sums[i] = all;
  }
#pragma omp parallel
// REFUSED: scans.c:[[#@LINE + 1]]:{{.*}}error: {{.*}}inside a parallel region: {{.*}} write 'parallel for'
#pragma omp for reduction(inscan, + : sum)
  for (int i = 0; i < N; ++i) {
    sum += i;
#pragma omp scan inclusive(sum)
    sums[i] = sum;
  }
  struct { int value; } box = {sum};
#pragma omp declare reduction(add : __typeof__(box) : omp_out.value += omp_in.value) initializer(omp_priv = {0})
// REFUSED: scans.c:[[#@LINE + 1]]:{{.*}}warning: clang 22 loses the value from before a loop
#pragma omp parallel for reduction(inscan, add : box)
  for (int i = 0; i < N; ++i) {
    box.value += i;
#pragma omp scan inclusive(box)
    sums[i] = box.value;
  }
}
#endif

int main(void) {
  int in = 5, ex = 5, a[4], b[4], wrong = 0;
#pragma omp parallel for reduction(inscan, + : in)
  for (int i = 0; i < 4; i++) {
    in += i + 1;
#pragma omp scan inclusive(in)
    a[i] = in;
  }
#pragma omp parallel for reduction(inscan, + : ex)
  for (int i = 0; i < 4; i++) {
    b[i] = ex;
#pragma omp scan exclusive(ex)
    ex += i + 1;
  }
  printf("in %d: %d %d %d %d, ex %d: %d %d %d %d\n", in, a[0], a[1], a[2], a[3], ex, b[0], b[1], b[2], b[3]);

  double d = 0.5, ds[N], d_now = d;
  unsigned m = 3, ms[N], m_now = m;
  int low = 1000, high = 7, lows[N], highs[N], low_now = low, high_now = high;
  long long before = 1ll << 40, befores[N], before_now = before;
#pragma omp parallel for reduction(inscan, + : d) reduction(inscan, * : m)
  for (int i = 0; i < N; i++) {
    d += i, m *= 3;
#pragma omp scan inclusive(d, m)
    ds[i] = d, ms[i] = m;
  }
#pragma omp parallel for reduction(inscan, min : low) reduction(inscan, max : high)
  for (int i = 0; i < N; i++) {
    low = low < 1010 - i ? low : 1010 - i, high = high > i ? high : i;
#pragma omp scan inclusive(low, high)
    lows[i] = low, highs[i] = high;
  }
#pragma omp parallel for simd reduction(inscan, + : before)
  for (int i = 0; i < N; i++) {
    befores[i] = before;
#pragma omp scan exclusive(before)
    before += i;
  }
  for (int i = 0; i < N; ++i) {
    wrong += befores[i] != before_now;
    d_now += i, m_now *= 3, before_now += i;
    low_now = low_now < 1010 - i ? low_now : 1010 - i, high_now = high_now > i ? high_now : i;
    wrong += ds[i] != d_now || ms[i] != m_now || lows[i] != low_now || highs[i] != high_now;
  }
  wrong += d != d_now || m != m_now || low != low_now || high != high_now || before != before_now;
  printf("wrong: %d\n", wrong);
  return wrong;
}
