// FFTW's interface on the device, against the host's FFTW: each kind of plan, both precisions, in place and not, with strides, on the
// stack, from several lanes and waves at once.
// RUN: %hostcc -w %s -o %t.host -lfftw3f -lfftw3 -lm && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t -lfftw3f -lfftw3 -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads=70 --blocks=2 %t all > %t.all && sort -u %t.all | FileCheck %s
// CHECK: {{^}}all 1.0000{{$}}
// CHECK-NOT: {{.}}
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4000 };
static double state;
static double next(void) { return fmod(state = fmod(state * 1.7 + 0.313, 7.77), 3) - 1; }

static void print(const char *what, const double *data, int count) {
  double sum = 0, weighted = 0;
  for (int i = 0; i < count; ++i)
    sum += fabs(data[i]), weighted += data[i] * (i % 17);
  printf("%s %.6f %.6f\n", what, sum, weighted);
}
static void fill(double *data) {
  state = 1;
  for (int i = 0; i < SIZE; ++i)
    data[i] = next();
}

static void all(void) {
  double complex stack[16];
  for (int i = 0; i < 16; ++i)
    stack[i] = i == 0;
  fftw_plan plan = fftw_plan_dft_1d(16, stack, stack, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  double least = 2;
  for (int i = 0; i < 16; ++i)
    if (creal(stack[i]) < least)
      least = creal(stack[i]);
  printf("all %.4f\n", least);
  fftw_destroy_plan(plan);
}

#define RUN(WHAT, CALL, FROM, TO)                                                                                              \
  do {                                                                                                                         \
    fill(a), fill(b);                                                                                                          \
    fftw_plan plan = CALL;                                                                                                     \
    fill(a), fill(b);                                                                                                          \
    fftw_execute(plan);                                                                                                        \
    print(WHAT, TO, SIZE);                                                                                                     \
    fftw_destroy_plan(plan);                                                                                                   \
  } while (0)

int main(int argc, char **argv) {
  if (argc > 1)
    return all(), 0;
  double *a = fftw_alloc_real(SIZE), *b = fftw_alloc_real(SIZE);
  fftw_complex *ca = (void *)a, *cb = (void *)b;
  const int n[] = {4, 3, 5, 2}, embed[] = {6, 7}, half[] = {6, 4};
  RUN("1d", fftw_plan_dft_1d(1000, ca, cb, FFTW_FORWARD, FFTW_MEASURE), a, b);
  RUN("1d back in place", fftw_plan_dft_1d(997, ca, ca, FFTW_BACKWARD, FFTW_ESTIMATE), a, a);
  RUN("2d", fftw_plan_dft_2d(12, 25, ca, cb, FFTW_BACKWARD, FFTW_ESTIMATE), a, b);
  RUN("3d", fftw_plan_dft_3d(5, 6, 7, ca, ca, FFTW_FORWARD, FFTW_ESTIMATE), a, a);
  RUN("4d", fftw_plan_dft(4, n, ca, cb, FFTW_FORWARD, FFTW_ESTIMATE), a, b);
  RUN("many", fftw_plan_many_dft(2, n, 5, ca, embed, 2, 60, cb, NULL, 5, 1, FFTW_FORWARD, FFTW_ESTIMATE), a, b);
  RUN("r2c", fftw_plan_dft_r2c_1d(1001, a, cb, FFTW_ESTIMATE), a, b);
  RUN("r2c in place", fftw_plan_dft_r2c_2d(10, 13, a, ca, FFTW_ESTIMATE), a, a);
  RUN("r2c 3d", fftw_plan_dft_r2c_3d(3, 4, 10, a, cb, FFTW_ESTIMATE), a, b);
  RUN("r2c many", fftw_plan_many_dft_r2c(2, n, 6, a, embed, 3, 130, cb, half, 1, 30, FFTW_ESTIMATE), a, b);
  RUN("c2r", fftw_plan_dft_c2r_1d(64, ca, b, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT), a, b);
  RUN("c2r keeps", fftw_plan_dft_c2r_1d(64, ca, b, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT), a, a);
  RUN("c2r in place", fftw_plan_dft_c2r_2d(8, 9, ca, a, FFTW_ESTIMATE), a, a);
  RUN("c2r 3d", fftw_plan_dft_c2r_3d(3, 4, 10, ca, b, FFTW_ESTIMATE), a, b);
  RUN("c2r many", fftw_plan_many_dft_c2r(1, n, 9, ca, NULL, 1, 3, b, NULL, 9, 1, FFTW_ESTIMATE), a, b);

  fill(a), fill(b);
  fftw_plan plan = fftw_plan_dft_1d(50, ca, ca + 50, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute_dft(plan, ca + 3, cb + 1); // other arrays than those of the plan, differently aligned
  print("other arrays", b, SIZE);
  fftw_destroy_plan(plan);

  float *f = fftwf_alloc_real(SIZE);
  fftwf_complex *g = fftwf_alloc_complex(SIZE);
  memset(g, 0, SIZE * sizeof *g);
  for (int i = 0; i < SIZE; ++i)
    f[i] = i % 5 - 2;
  fftwf_plan single = fftwf_plan_dft_r2c_1d(100, f, g, FFTW_ESTIMATE);
  fftwf_execute(single);
  for (int i = 0; i < 51; i += 10)
    printf("%.3f %.3f\n", fabs(creal(g[i])) < 1e-3 ? 0 : creal(g[i]), fabs(cimag(g[i])) < 1e-3 ? 0 : cimag(g[i]));
  fftwf_destroy_plan(single);
  fftwf_free(f), fftwf_free(g);

  printf("%d %d %d %d\n", fftw_plan_dft_1d(0, ca, cb, FFTW_FORWARD, FFTW_ESTIMATE) == NULL,
         fftw_plan_dft_1d(-4, ca, cb, FFTW_FORWARD, FFTW_ESTIMATE) == NULL,
         fftw_plan_dft_1d(4, ca, cb, FFTW_FORWARD, FFTW_WISDOM_ONLY) == NULL,
         fftw_plan_dft_c2r_2d(4, 4, ca, b, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT) == NULL);
  fftw_free(a), fftw_free(b), fftw_free(NULL);
  fftw_cleanup();
  return 0;
}
