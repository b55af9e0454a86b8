// Private copies of static variables: in parallel regions, loops, tasks and reductions, and in functions of classes and templates. clang 22
// uses the variables themselves where it compiles for a device.
// RUN: %gpucc -fopenmp -O0 -w -x c %s -o %t && %run --threads 64 --blocks 2 %t | FileCheck %s
// RUN: %gpucc -fopenmp -O2 -w -x c %s -o %t && %run %t | FileCheck %s
// RUN: %gpucxx -fopenmp -O0 -w %s -o %t && %run --threads 64 --blocks 2 %t | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: %gpucxx -fopenmp -O2 -w %s -o %t && %run %t | FileCheck %s --check-prefixes=CHECK,MORE
// CHECK: private 0 7
// CHECK-NEXT: firstprivate 0 8 2
// CHECK-NEXT: reduction 204480
// CHECK-NEXT: lastprivate 639
// CHECK-NEXT: loop 0
// CHECK-NEXT: collapse 0
// CHECK-NEXT: for simd 0 640
// CHECK-NEXT: task 0 8 7
// MORE-NEXT: member 0 0
// MORE-NEXT: template 4962 57
// MORE-NEXT: later 7
#include <omp.h>
#include <stdio.h>

enum { N = 640 };
static int i, j, p = 7, f = 8, s, l, a[N], array[4] = {1, 2, 3, 4};

static void clauses(void) {
  int bad = 0;
#pragma omp parallel private(p) num_threads(3)
  {
    p = omp_get_thread_num();
#pragma omp barrier
    if (p != omp_get_thread_num())
#pragma omp atomic
      bad++;
  }
  printf("private %d %d\n", bad, p);
#pragma omp parallel firstprivate(f, array) num_threads(3)
  {
    f += omp_get_thread_num();
    array[1] += f;
#pragma omp barrier
    if (f != 8 + omp_get_thread_num() || array[1] != 2 + f)
#pragma omp atomic
      bad++;
  }
  printf("firstprivate %d %d %d\n", bad, f, array[1]);
#pragma omp parallel for reduction(+ : s)
  for (int k = 0; k < N; k++)
    s += k;
  printf("reduction %d\n", s);
#pragma omp parallel for lastprivate(l)
  for (int k = 0; k < N; k++)
    l = k;
  printf("lastprivate %d\n", l);
}

static void counters(void) {
  int bad = 0;
#pragma omp parallel for
  for (i = 0; i < N; i++)
    a[i] = 5 + i;
  for (i = 0; i < N; i++)
    bad += a[i] != 5 + i;
  printf("loop %d\n", bad);
#pragma omp parallel
#pragma omp for collapse(2)
  for (i = 0; i < N / 10; i++)
    for (j = 0; j < 10; j++)
      a[i * 10 + j] = 6 + i * j;
  for (i = 0; i < N / 10; i++)
    for (j = 0; j < 10; j++)
      bad += a[i * 10 + j] != 6 + i * j;
  printf("collapse %d\n", bad);
#pragma omp parallel for simd
  for (i = 0; i < N; i++)
    a[i] = 7 + i;
  printf("for simd %d ", bad);
  printf("%d\n", i);
}

static void tasks(void) {
  int bad = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task firstprivate(f) private(p)
    {
      f = 100;
      p = 100;
    }
#pragma omp taskloop
    for (i = 0; i < N; i++)
      a[i] = 8 + i;
  }
  for (i = 0; i < N; i++)
    bad += a[i] != 8 + i;
  printf("task %d %d %d\n", bad, f, p);
}

#ifdef __cplusplus
namespace outer {
int counter = 5;
static int number;
struct S {
  template <typename T> T run(T n) {
    T bad = 0;
#pragma omp parallel private(number) num_threads(3)
    {
      number = omp_get_thread_num();
#pragma omp barrier
      if (number != omp_get_thread_num())
#pragma omp atomic
        bad++;
    }
    return bad + later(n) - n;
  }
  int later(int x) { return x; }
};
template <typename T> T sum(T n) {
  static T inside = 7;
  T all = counter;
#pragma omp parallel for reduction(+ : all) firstprivate(inside)
  for (number = 0; number < int(n); number++) {
    all += number;
    inside++;
  }
  auto add = [&](T x) { return x + inside; };
  return add(all);
}
inline int unused_before(int x) { return x + counter; }
int after = 2;
int last() { return unused_before(after); }
} // namespace outer
#endif

int main(void) {
  clauses();
  counters();
  tasks();
#ifdef __cplusplus
  outer::S object;
  printf("member %d %d\n", object.run(4), int(object.run(5L)));
  printf("template %d ", outer::sum(100));
  printf("%d\n", int(outer::sum(10.0)));
  printf("later %d\n", outer::last());
#endif
  return 0;
}
