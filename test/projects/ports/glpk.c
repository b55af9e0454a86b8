#include <glpk.h>
#include <stdio.h>
int main(void) {
  int rows[] = {0, 1, 1, 2, 2}, columns[] = {0, 1, 2, 1, 2};
  double values[] = {0, 1, 1, 2, 1};
  glp_prob *problem = glp_create_prob();
  glp_term_out(GLP_OFF);
  glp_set_obj_dir(problem, GLP_MAX);
  glp_add_rows(problem, 2);
  glp_set_row_bnds(problem, 1, GLP_UP, 0, 10);
  glp_set_row_bnds(problem, 2, GLP_UP, 0, 15);
  glp_add_cols(problem, 2);
  for (int i = 1; i <= 2; i++) {
    glp_set_col_bnds(problem, i, GLP_LO, 0, 0);
    glp_set_obj_coef(problem, i, i + 2);
  }
  glp_load_matrix(problem, 4, rows, columns, values);
  int status = glp_simplex(problem, NULL);
  printf("%s %d %g %g %g\n", glp_version(), status, glp_get_obj_val(problem), glp_get_col_prim(problem, 1), glp_get_col_prim(problem, 2));
  return 0;
}
