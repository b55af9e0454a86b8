#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_version.h>
#include <stdio.h>
int main(void) {
  double values[] = {4, 1, 0, 1, 3, 1, 0, 1, 2}, right[] = {1, 2, 3};
  gsl_matrix_view a = gsl_matrix_view_array(values, 3, 3);
  gsl_vector_view b = gsl_vector_view_array(right, 3);
  gsl_vector *x = gsl_vector_alloc(3);
  gsl_permutation *p = gsl_permutation_alloc(3);
  int sign;
  gsl_linalg_LU_decomp(&a.matrix, p, &sign);
  gsl_linalg_LU_solve(&a.matrix, p, &b.vector, x);
  printf("%s %.10f %.10f %.10f %.10f\n", gsl_version, gsl_vector_get(x, 0), gsl_vector_get(x, 1), gsl_vector_get(x, 2), gsl_sf_bessel_J0(5.0));
  return 0;
}
