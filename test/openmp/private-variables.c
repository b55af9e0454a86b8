// Variables whose address does not get to another thread stay in the thread's registers or on its stack, also where clang calls
// OpenMP's allocator for them: an array that a helper works on, the result of a function by a pointer, an array of pointers.
// RUN: %hostcc -O1 -w %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %run --threads 64 --blocks 2 %t > %t.out; diff %t.expected %t.out
// RUN: %gpucc --arch gfx942 -fopenmp -O2 %s -o %t.amd -Wl,--save-temps=precodegen
// RUN: llvm-dis-22 < %t.amd.0.5.precodegen.bc | FileCheck %s
#include <math.h>
#include <stdio.h>

enum { BODIES = 64 };
static double place[BODIES][3], force[BODIES][3];

static __attribute__((noinline)) void add(double *sum, const double *more) {
  for (int axis = 0; axis < 3; ++axis)
    sum[axis] += more[axis];
}

// CHECK-LABEL: define {{.*}}@force_on(
// CHECK-NOT: {{__gpuexec_more_frames|__kmpc_alloc_shared}}
// CHECK: {{^}}}
__attribute__((noinline)) double force_on(int body, int which) {
  double sum[3] = {0, 0, 0}, square[3], whole;
  double *const rows[2] = {sum, square};
  for (int other = 0; other < BODIES; ++other) {
    double distance[3];
    for (int axis = 0; axis < 3; ++axis) {
      distance[axis] = place[other][axis] - place[body][axis];
      square[axis] = distance[axis] * distance[axis];
    }
    add(rows[which], distance);
  }
  const double part = modf(sum[0] / 4, &whole);
  for (int axis = 0; axis < 3; ++axis)
    force[body][axis] = sum[axis];
  return part;
}

int main(void) {
  double parts = 0;
  for (int i = 0; i < BODIES; ++i)
    place[i][i % 3] = i;
#pragma omp parallel for reduction(+ : parts)
  for (int i = 0; i < BODIES; ++i)
    parts += force_on(i, 0);
  double sum = 0;
  for (int i = 0; i < BODIES; ++i)
    sum += force[i][0] - 2 * force[i][1] + 3 * force[i][2];
  printf("parts %.2f, sum %.2f\n", parts, sum);
}
