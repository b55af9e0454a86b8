// sqrt() and sqrtf() are instructions, and set errno for negative arguments.
// RUN: %hostcc -O0 %s -o %t.host -lm
// RUN: %gpucc -O2 %s -o %t -lm
// RUN: %t.host > %t.expected
// RUN: %run %t | diff %t.expected -
// RUN: %gpucc -O2 -S -emit-llvm %s -o - | FileCheck %s
// No call, and leave to approximate, with -ffast-math:
// RUN: %gpucc -O2 -ffast-math -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=FAST
#include <errno.h>
#include <math.h>
#include <stdio.h>

// CHECK-LABEL: @root_of_double(
// CHECK: call double @llvm.sqrt.f64(
__attribute__((noinline)) double root_of_double(double x) { return sqrt(x); }
// FAST-LABEL: @root_of_double(
// FAST-NOT: {{@sqrt\(}}
// FAST: call fast double @llvm.sqrt.f64(
// FAST-NOT: {{@sqrt\(}}
// FAST-LABEL: @root_of_float(
// CHECK-LABEL: @root_of_float(
// CHECK: call float @llvm.sqrt.f32(
__attribute__((noinline)) float root_of_float(float x) { return sqrtf(x); }

int main(void) {
  const double values[] = {0,      -0.0,   1,       2,    0.3, 1e300, 5e-324,
                           1e-310, -1e-30, -1e300, INFINITY, -INFINITY, NAN};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i) {
    errno = 0;
    const double root = root_of_double(values[i]);
    const int error = errno;
    errno = 0;
    const float short_root = root_of_float((float)values[i]);
    if (isnan(root))
      printf("%a: nan %d, ", values[i], error);
    else
      printf("%a: %a %d, ", values[i], root, error);
    if (isnan(short_root))
      printf("nan %d\n", errno);
    else
      printf("%a %d\n", (double)short_root, errno);
  }
  return 0;
}
