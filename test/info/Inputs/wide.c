// One function needs many registers, main a stack.
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double wide(const double *a) {
  double v[40];
  for (int i = 0; i < 40; i++)
    v[i] = a[i];
  for (int j = 0; j < 9; j++)
    for (int i = 0; i < 40; i++)
      v[i] = v[i] * v[(i + 7) % 40] + a[j];
  double sum = 0;
  for (int i = 0; i < 40; i++)
    sum += v[i];
  return sum;
}
int main(int argc, char **argv) {
  double a[60];
  for (int i = 0; i < 60; i++)
    a[i] = argc + i;
  printf("%g\n", wide(a + argc));
  return 0;
}
