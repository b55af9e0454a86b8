#include <fftw3.h>
#include <stdio.h>
int main(void) {
  fftw_complex *data = fftw_malloc(12 * sizeof *data);
  fftw_plan plan = fftw_plan_dft_1d(12, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < 12; i++)
    data[i][0] = i * i % 7, data[i][1] = -i;
  fftw_execute(plan);
  for (int i = 0; i < 12; i++)
    printf("%.6f %.6f\n", data[i][0] + 1e-9, data[i][1] + 1e-9);
  return 0;
}
