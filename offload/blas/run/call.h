//===-- offload/blas/run/call.h - Calls of a program's BLAS -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that are generated from blas.txt (entry/blas.c) are found
// before those of the program's BLAS. Each describes its call and gives it to
// offload_begin(); if the device has not done it, it calls the program's own
// function.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_CALL_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_CALL_H

#include "offload/blas/operands/operands.h"
#include "offload/blas/policy/decision.h"
#include "offload/blas/run/passing.h"

enum { MOST_OPERANDS = 4, MOST_ARGUMENTS = 16 };

typedef struct {
  unsigned function; ///< names.h
  rated_call rated;  ///< its work: operations on real numbers
  int is_level_2; ///< of a matrix and a vector: worth it only if the matrix is
                  ///< already on the device
  unsigned operand_count, argument_count;
  operand operands[MOST_OPERANDS];
  const blas_argument *arguments; ///< arrays: their addresses on the host
  unsigned numbers;         ///< a bit for each argument that points to a number
  unsigned complex_numbers; ///< the same for a complex number
  size_t real_size;         ///< bytes of a real number of the function's type
  double began;             ///< when the processor began; 0: not timed
  unsigned quiet;           ///< background_quiet() when the processor began
  double noted;     ///< seconds that earlier calls of this thread had taken
  int is_candidate; ///< large enough for the device
  int is_solver;    ///< of LAPACK: its arguments are those of cusolver.h
  int was_tried;    ///< the device was asked and could not do it
} offload_call;

/// Starts a call whose `began` is 0. False: it is too small for the device.
int offload_is_candidate(offload_call *, unsigned function, double work,
                         int is_level_2);
/// True: the device has done the call. False: the program's BLAS must do it.
int offload_begin(offload_call *);
/// Call it when the program's BLAS has done the call.
void offload_finish(offload_call *);

/// Converts a letter of Fortran's interface to the constant of CBLAS; `first`
/// is the one of letters[0]. Any other letter gives 0, which CBLAS rejects.
static inline int offload_letter(char letter, const char *letters, int first) {
  const char capital = (char)(letter & ~0x20);
  for (int i = 0; letters[i]; ++i)
    if (letters[i] == capital)
      return first + i;
  return 0;
}

#endif
