//===-- offload/blas/policy/model.h - How long will a call take? -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seconds per operation of the processor and of the GPU, for each function and
// each power of two of operations, learned from the program's calls. A rate
// that was never seen is taken from the nearest known one. Rates of functions
// of LAPACK (solvers) are estimated more carefully, because one call may take
// seconds: see model_compute().
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

/// The seconds that the function needs for `work` operations; below 0: not
/// known. For a solver, rates of other functions are not used, and estimates
/// are made so that the GPU is not chosen by mistake:
/// - on the GPU a size that was not seen gets the rate of the next smaller
///   known size. That is an upper bound, because larger calls take less time
///   for each operation. A size below all known ones takes as long as the
///   smallest;
/// - on the processor a rate is used for half and for twice the operations. For
///   other sizes the processor is assumed to be four times as fast as the known
///   rate, because its rate may grow, too, by an unknown amount.
double model_compute(const offload_model *, int where, unsigned function,
                     double work);
void model_learn(offload_model *, int where, unsigned function, double work,
                 double seconds);
/// Like model_learn(), for a call that was measured beforehand: later ones take
/// no longer. Counts as half a call.
void model_limit(offload_model *, int where, unsigned function, double work,
                 double seconds);
/// Called before a function is measured, with the seconds that this may take.
/// If the process ends meanwhile, only this is known. Counts as a quarter of a
/// call.
void model_expect(offload_model *, int where, unsigned function, double work,
                  double seconds);
/// Forgets the GPU's rates unless they are of this GPU.
void model_be_of(offload_model *, const char *gpu);
/// Takes unknown rates from another model of the same machine and GPU.
void model_add(offload_model *, const offload_model *from);
/// Takes all rates of another model's GPU.
void model_take_gpu(offload_model *, const offload_model *from);
/// How many calls of this size were seen there.
double model_known(const offload_model *, int where, unsigned function,
                   double work);
/// The same for the size of which most calls were seen; 0.25 if measuring was
/// cut off.
double model_most_known(const offload_model *, int where, unsigned function);
/// Moves a rate (seconds per byte) towards what was measured.
void learn_rate(double *rate, double measured);

#endif
