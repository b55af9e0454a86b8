//===-- offload/blas/policy/decision.h - Where is a call done? ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides between the processor and the GPU, from what is known of a call.
// Pure. Seconds everywhere.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_POLICY_DECISION_H
#define GPUEXEC_OFFLOAD_BLAS_POLICY_DECISION_H

#include "offload/blas/policy/model.h"
#include "offload/blas/policy/settings.h"
#include <stddef.h>

//===-- Which calls are looked at at all ----------------------------------===//

/// Calls of fewer operations are never considered for the device. `is_level_2`:
/// of a function of a matrix and a vector.
double least_work(const offload_settings *, int is_level_2);

//===-- What a call costs -------------------------------------------------===//

/// An array of a call.
typedef struct {
  size_t size;     ///< bytes
  size_t upload;   ///< bytes that must be copied to the device
  unsigned stable; ///< calls for which it has not changed
  int reads, writes, destroys;
} operand_cost;

/// A call as the model knows it.
typedef struct {
  unsigned rated_as[2]; ///< functions whose rates it has on the processor and
                        ///< the GPU
  double work;          ///< operations
} rated_call;

typedef struct {
  double cpu;          ///< below 0: not known
  double gpu;          ///< with the copies that are needed
  double gpu_if_there; ///< if all that it reads were on the device
  size_t there;        ///< bytes that need not be copied
} call_costs;

call_costs estimate_costs(const offload_model *, const rated_call *,
                          const operand_cost *, unsigned count);

/// The least seconds that the GPU needs, for its work and for copies of
/// results, even if it has all operands. Below 0: not known.
double least_on_gpu(const offload_model *, const rated_call *,
                    size_t result_bytes);

//===-- The decision ------------------------------------------------------===//

/// Facts about calls like this one.
typedef struct {
  double known[2]; ///< calls of its size on the processor and the GPU
  uint64_t calls;  ///< of the function so far, anywhere
  double may_cost; ///< what trying something out may cost now
  int is_level_2;
  int matrix_stays; ///< its first array is there, or was not written lately
  int is_loaded;    ///< the GPU has loaded the function's code
} call_facts;

typedef enum {
  ON_CPU,
  ON_GPU,
  AFTER_LOADING, ///< the GPU is to load the code first; then decide again
} call_place;

typedef struct {
  call_place place;
  double tries; ///< seconds that a trial is expected to lose; 0: it is none
} call_decision;

/// Decides where a call is done. If sizes decide, a product with a vector goes
/// to the GPU only if its matrix need not be copied there.
call_decision decide(const offload_settings *, const call_costs *,
                     const call_facts *);

/// Whether the processor is faster even if only the result must be copied. That
/// is so for most calls of a program; their operands need not be looked up.
/// `gpu`: from least_on_gpu().
int is_hopeless(double cpu, double gpu, const call_facts *);

/// Seconds that trials may still lose in a run of `run` seconds, in which they
/// have lost `spent`.
double left_for_trials(double run, double spent);

/// Whether the GPU would do such calls if it had all arrays that they read.
int is_gpu_faster_with_operands(const offload_settings *, const call_costs *);

#endif
