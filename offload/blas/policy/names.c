//===-- offload/blas/policy/names.c - See names.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/policy/names.h"
#include <string.h>

static const char letters[] = "sdcz";

#define NAMES(KIND, REAL, COMPLEX, VARIANT, ARGUMENTS)                         \
  {"s" #REAL, "d" #REAL, "c" #COMPLEX, "z" #COMPLEX},
#define VARIANTS(KIND, REAL, COMPLEX, VARIANT, ARGUMENTS)                      \
  {"s" #REAL "(" VARIANT ")", "d" #REAL "(" VARIANT ")",                       \
   "c" #COMPLEX "(" VARIANT ")", "z" #COMPLEX "(" VARIANT ")"},
static const char names[2 * SOLVERS][4][16] = {SOLVER_KINDS(NAMES)
                                                   SOLVER_KINDS(VARIANTS)};
_Static_assert(CUBLAS_FUNCTIONS + 8 * SOLVERS <= MOST_FUNCTIONS,
               "room for all functions");

unsigned offload_solver(solver_kind kind, char letter) {
  return cublas_function_count + 4 * (unsigned)kind +
         (unsigned)(strchr(letters, letter) - letters);
}

unsigned offload_solver_variant(unsigned solver) {
  return solver + 4 * SOLVERS;
}

int offload_is_solver(unsigned function) {
  return function >= cublas_function_count;
}

solver_kind offload_kind_of(unsigned function) {
  return (solver_kind)((function - cublas_function_count) / 4 % SOLVERS);
}

char offload_type_of(unsigned function) {
  return letters[(function - cublas_function_count) % 4];
}

int offload_is_variant(unsigned function) {
  return function >= cublas_function_count + 4 * SOLVERS;
}

unsigned offload_function_count(void) {
  return cublas_function_count + 8 * SOLVERS;
}

const char *offload_function_name(unsigned function) {
  if (function < cublas_function_count)
    return cublas_function_name(function) + strlen("cblas_");
  function -= cublas_function_count;
  return names[function / 4][function % 4];
}

const char *offload_arguments_of(solver_kind kind) {
#define LETTERS(KIND, REAL, COMPLEX, VARIANT, ARGUMENTS) ARGUMENTS,
  static const char *const all[] = {SOLVER_KINDS(LETTERS)};
  return all[kind];
}
