//===-- blas/intercept/names.c - See names.h ------------------------------===//
#include "blas/intercept/names.h"
#include <string.h>

static const char letters[] = "sdcz";
static const char names[SOLVERS][4][8] = {
    {"sgetrf", "dgetrf", "cgetrf", "zgetrf"},
    {"sgetrs", "dgetrs", "cgetrs", "zgetrs"},
    {"sgesv", "dgesv", "cgesv", "zgesv"},
    {"spotrf", "dpotrf", "cpotrf", "zpotrf"},
    {"spotrs", "dpotrs", "cpotrs", "zpotrs"},
    {"sposv", "dposv", "cposv", "zposv"}};
_Static_assert(CUBLAS_FUNCTIONS + 4 * SOLVERS <= MOST_FUNCTIONS,
               "room for all functions");

unsigned blas_solver(solver_kind kind, char letter) {
  return cublas_function_count + 4 * (unsigned)kind +
         (unsigned)(strchr(letters, letter) - letters);
}

unsigned blas_function_count(void) {
  return cublas_function_count + 4 * SOLVERS;
}

const char *blas_function_name(unsigned function) {
  if (function < cublas_function_count)
    return cublas_function_name(function) + strlen("cblas_");
  function -= cublas_function_count;
  return names[function / 4][function % 4];
}
