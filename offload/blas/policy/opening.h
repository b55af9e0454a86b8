//===-- offload/blas/policy/opening.h - Is the device worth opening? ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening the device costs some tenths of a second, which a run that ends soon
// does not regain. How long a run will take is not known; it is estimated from
// the time that its calls would have saved so far, and that earlier runs of the
// same command line have saved. Pure. All times are in seconds.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_POLICY_OPENING_H
#define GPUEXEC_OFFLOAD_BLAS_POLICY_OPENING_H

#include <stdint.h>

//===-- This run ----------------------------------------------------------===//

/// Seconds that the processor has spent on calls that the device might do.
typedef struct {
  double candidate; ///< all of them
  double gain;      ///< the part that the device would have saved
  double unknown;   ///< the part of calls whose time on the device is unknown
} run_gains;

/// Adds what the device would have saved of one of these calls. `gpu`: what it
/// would have needed; below 0: not known.
void gains_add(run_gains *, double cpu, double gpu);

/// Whether a call of `work` operations counts. Smaller products of a matrix and
/// a vector do not, because the matrix fits into the processor's caches.
int counts_for_opening(double work, int is_level_2);

/// Whether the gains are large enough to read the kept files of this machine
/// and this program.
int gains_are_noticeable(const run_gains *);

/// Seconds that a device would have saved so far, unknown calls included, if
/// they are at least `worth`; else 0.
double gains_worth(const run_gains *, double worth);

/// Whether a run that has taken `run` seconds may lose `opening` more.
/// `has_gained`: the device has saved time in a run of the program with other
/// arguments.
int is_long_enough(double run, double opening, int has_gained);

/// What one call saves on the device, if that is at least `worth`; else 0.
double saved_by_call(double cpu, double gpu, double worth);

/// Whether a call of `work` operations can save `worth` seconds on any machine.
int can_save(double work, double worth);

/// How long a call waits at most while the device is being opened. `saved`: by
/// this call.
double wait_for_opening(double saved);

/// The most seconds that a thread of the program waits for one step of a
/// background thread: the driver's start, loading a library, measuring a call.
enum { LONGEST_WAIT = 1 };

//===-- Other runs --------------------------------------------------------===//

/// The kept record of the runs of a command line, in seconds.
typedef struct {
  float gain;    ///< saved by the device in the last run, or an estimate of it
  float without; ///< time of the last run without a device; 0: there was none
  float with;    ///< time of the last run with it; 0: there was none
} run_record;

/// Whether the next run with this command line should open the device at its
/// start. While no run has used the device its gain is an estimate; later the
/// times of the runs are compared.
int record_promises_gain(const run_record *, double worth);

typedef enum {
  RUN_WITHOUT_DEVICE,
  RUN_WITH_DEVICE,
  DEVICE_WAS_NO_GAIN
} run_end;

/// The gain that is stored for a run: none where the device was given up. What
/// calls of unknown speed might have saved is included, so that the next run
/// finds out. `lost`: seconds that the device took longer than the processor.
double gain_of_run(run_end, const run_gains *, double lost);

/// Adds a run to its record: `seconds` of a run with the same arguments; 0: of
/// the program with other ones.
void record_run(run_record *, double gain, double seconds, int had_device);

//===-- Giving the device up, and measuring -------------------------------===//

/// Whether the calls on the device have lost so much of a run, compared with
/// the processor, that the device must be given up.
int costs_too_much(double lost, double run);

/// Facts about a function of LAPACK, which must be measured on the device
/// before calls of it may go there.
typedef struct {
  double spent; ///< seconds on the processor
  double known; ///< model_most_known() of the device
  int is_kept;  ///< what is measured is kept for other runs
  double run;   ///< what the run has taken so far
} solver_facts;

typedef enum { NOT_YET, MEASURE, IS_MEASURED } measuring_decision;
measuring_decision decide_measuring(const solver_facts *, double worth);

#endif
