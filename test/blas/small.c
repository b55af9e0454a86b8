// Small calls are done by the calling thread: up to how many multiplications is measured by the first programs and kept for the device,
// or told. Arrays on the stack are not copied for it, and threads and lanes do theirs at once.
// RUN: %gpucc -O2 -w %s -o %t -lcblas
// RUN: %gpucc -O2 -w -fopenmp %s -o %t.lanes -lcblas
// RUN: rm -rf %t.cache && for i in 1 2 3; do XDG_CACHE_HOME=%t.cache %run %t 10 | FileCheck %s; done
// CHECK: 10 right
// RUN: %if emulator %{ grep 'gpuexec blas limit 2; [0-9]* [0-9]* 3; .* by the host; ' %t.cache/gpuexec/blas/*.limit %}
//
// What the service is asked: once how many calls are small, and then for those that are not. A call of 100 numbers:
// RUN: %run --rpc-stats --service %build/lib/gpuexec/services/libgpuexec-blas.so,small=100 %t 10 2>&1 | FileCheck %s --check-prefix=HERE
// HERE: 10 right
// HERE: {{^}}blas small{{ +}}1 {{.*$}}
// RUN: %run --rpc-stats --service %build/lib/gpuexec/services/libgpuexec-blas.so,small=99 %t 10 2>&1 | FileCheck %s --check-prefix=THERE
// THERE: 10 right
// THERE: {{^}}blas small{{ +}}11 {{.*$}}
// RUN: %run --service %build/lib/gpuexec/services/libgpuexec-blas.so,small=100 %t.lanes 1000 | FileCheck %s --check-prefix=LANES
// LANES: 1000 right
//
// What is kept is not believed where it cannot be, or is another's; a cache that cannot be written is done without.
// RUN: %if emulator %{ for file in %t.cache/gpuexec/blas/*.limit; do sed -i 's/ 3;/ 4; another/' $file; done; XDG_CACHE_HOME=%t.cache %run %t 10 | FileCheck %s && grep ' 1; [^;]* by the host; ' %t.cache/gpuexec/blas/*.limit %}
// RUN: XDG_CACHE_HOME=/proc/nowhere %run %t 10 | FileCheck %s
// RUN: XDG_CACHE_HOME=%t.cache %run --sandbox %t 10 | FileCheck %s
// RUN: not %run --service %build/lib/gpuexec/services/libgpuexec-blas.so,small=many %t 10 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: small=many': small= is followed by a number of multiplications
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

// A sum of 100 numbers on the stack.
static int is_right(int seed) {
  double x[100], y[100], want = 0;
  for (int i = 0; i < 100; ++i)
    x[i] = i % 7, y[i] = (i + seed) % 5, want += x[i] * y[i];
  return cblas_ddot(100, x, 1, y, 1) == want;
}

int main(int argc, char **argv) {
  const int count = atoi(argv[1]);
  int right = 0;
#pragma omp parallel for reduction(+ : right)
  for (int i = 0; i < count; ++i)
    right += is_right(i);
  printf("%d right\n", right);
  return right != count;
}
