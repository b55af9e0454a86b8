//===-- offload/blas/policy/model.h - How long will a call take? -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seconds per operation of the processor and of the GPU, for each function and
// each power of two of operations, learned from the calls themselves. What was
// never seen is taken from the nearest that was. Functions of LAPACK (solvers)
// are guessed more carefully, since one call may take seconds: model_compute().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_POLICY_MODEL_H
#define GPUEXEC_OFFLOAD_BLAS_POLICY_MODEL_H

#include "offload/blas/policy/names.h"

enum { WORK_CLASSES = 52, WHERE_CPU = 0, WHERE_GPU = 1, MODEL_GPU = 160 };

typedef struct {
  float seconds; ///< per operation; 0: not known
  float count;   ///< of calls it was learned from
} model_rate;

typedef struct {
  model_rate rates[2][MOST_FUNCTIONS][WORK_CLASSES];
  double upload, download; ///< seconds per byte; 0: not known
  double latency;          ///< seconds of a call on the GPU without its work
  char gpu[MODEL_GPU];     ///< whose rates they are; empty: not known
} offload_model;

/// Seconds that the function needs for so many operations; below 0: nothing is
/// known that helps. Of a solver nothing is taken from other functions, and
/// guesses are such that the GPU is not chosen by mistake:
/// - on the GPU a size that was not seen has the rate of the next smaller one,
///   for operations take less long the more there are: a bound from above. What
///   is smaller than all that was seen takes as long as the smallest;
/// - the processor's rate is taken for half and for twice the operations. Of
///   other sizes it is thought to do four times as many in a second: its rate
///   grows, too, and only its own call shows by how much.
double model_compute(const offload_model *, int where, unsigned function,
                     double work);
void model_learn(offload_model *, int where, unsigned function, double work,
                 double seconds);
/// Like model_learn(), for a call that was measured beforehand: later ones take
/// no longer. Counts as half a call.
void model_limit(offload_model *, int where, unsigned function, double work,
                 double seconds);
/// Called before a function is measured, with what that may take: all that is
/// known if the process ends meanwhile. Counts as a quarter of a call.
void model_expect(offload_model *, int where, unsigned function, double work,
                  double seconds);
/// Forgets the GPU's rates unless they are of this GPU.
void model_be_of(offload_model *, const char *gpu);
/// Takes what is not known from another model of the same machine and GPU.
void model_add(offload_model *, const offload_model *from);
/// Takes all that another model knows of its GPU.
void model_take_gpu(offload_model *, const offload_model *from);
/// How many calls of this size were seen there.
double model_known(const offload_model *, int where, unsigned function,
                   double work);
/// The same for the size of which most were seen; 0.25 where measuring was cut
/// off.
double model_most_known(const offload_model *, int where, unsigned function);
/// Moves a rate (seconds per byte) towards what was measured.
void learn_rate(double *rate, double measured);

#endif
