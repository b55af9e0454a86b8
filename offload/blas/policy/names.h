//===-- offload/blas/policy/names.h - The functions that may go to a GPU -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of functions: those of blas.txt in its order, then those of LAPACK
// (solvers), then the variants of solvers. A variant is the same function on
// operands with which it takes another time, so the model has a number for it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_POLICY_NAMES_H
#define GPUEXEC_OFFLOAD_BLAS_POLICY_NAMES_H

#include "services/blas/cuda/cublas.h"

enum { MOST_FUNCTIONS = 288 };

// F(kind, name for real matrices, name for complex ones, calls that are its
// variant, arguments of a call that is measured). A letter is an argument: n
// the size; c as many columns, or one; A B C a matrix; v a vector; 0 nothing; L
// N these letters; t transposed; e j with vectors, or without them for the
// variant (e: eigenvalues, j: singular values).
#define SOLVER_KINDS(F)                                                        \
  F(GETRF, getrf, getrf, "none", "nnAnv")                                      \
  F(GETRS, getrs, getrs, "few", "NncAnvBn")                                    \
  F(GESV, gesv, gesv, "none", "n1AnvBn")                                       \
  F(POTRF, potrf, potrf, "none", "LnAn")                                       \
  F(POTRS, potrs, potrs, "few", "LncAnBn")                                     \
  F(POSV, posv, posv, "none", "Ln1AnBn")                                       \
  F(GEQRF, geqrf, geqrf, "none", "nnAnv")                                      \
  F(ORGQR, orgqr, ungqr, "none", "nnnAnv")                                     \
  F(ORMQR, ormqr, unmqr, "few", "LtncnAnvCn")                                  \
  F(SYEV, syev, heev, "values", "eLnAnv")                                      \
  F(SYEVD, syevd, heevd, "values", "eLnAnv")                                   \
  F(SYEVR, syevr, heevr, "values", "eLnAnv")                                   \
  F(GESVD, gesvd, gesvd, "values", "jjnnAnvBnCn0")                             \
  F(GESDD, gesdd, gesdd, "values", "jjnnAnvBnCn0")

#define SOLVER_KIND(KIND, ...) KIND,
typedef enum { SOLVER_KINDS(SOLVER_KIND) SOLVERS } solver_kind;
#undef SOLVER_KIND

/// The number of the solver of this kind and type (s, d, c or z).
unsigned offload_solver(solver_kind, char letter);
/// The number of its variant: few right-hand sides, or eigenvalues and singular
/// values without vectors.
unsigned offload_solver_variant(unsigned solver);
/// True for functions of LAPACK and their variants.
int offload_is_solver(unsigned);
/// The kind of a solver or of a variant.
solver_kind offload_kind_of(unsigned);
char offload_type_of(unsigned); ///< s, d, c or z
int offload_is_variant(unsigned);

unsigned offload_function_count(void);
/// The letters of a solver's arguments, as in SOLVER_KINDS.
const char *offload_arguments_of(solver_kind);
/// A function's name, such as dgemm; of a variant such as dsyevd(values).
const char *offload_function_name(unsigned);

#endif
