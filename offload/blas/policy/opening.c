//===-- offload/blas/policy/opening.c - See opening.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/policy/opening.h"

/// Until the processor has spent these seconds in calls that the device might
/// do, not even the model is read.
static const double NOTICEABLE = 0.02;
/// The share of a run that opening the device may cost for nothing, and that
/// the device may cost before it is given up.
static const double LARGEST_LOSS = 0.03;
/// Losses below this are no reason to give the device up.
static const double LEAST_LOSS = 0.05;
/// Operations that every processor does in a second. A call with fewer than
/// `worth` seconds of them cannot save `worth`.
static const double SLOWEST_PROCESSOR = 1e10;
/// A run with the device was shorter if it took less than this share of one
/// without it: two runs never take quite the same time.
static const double SHORTER = 0.97;
/// The most seconds that the end of a process with an open device takes.
static const double LEAVING = 0.2;
/// A function is worth measuring when the processor has spent this share of
/// `worth` in it.
static const double SHARE_FOR_MEASURING = 0.25;
/// How much model_limit() counts: a function with this count was measured to
/// the end.
static const double MEASURED = 0.5;
/// Only runs of this many seconds or more measure again if an earlier
/// measurement was cut off by the end of its process, or if nothing can be
/// kept. LONGEST_WAIT is a thirtieth of it.
static const double LONG_RUN = 30;

/// Operations of a product of a matrix and a vector whose matrix is in no
/// cache.
static const double LEAST_UNCACHED = 2e7;

int counts_for_opening(double work, int is_level_2) {
  return !is_level_2 || work >= LEAST_UNCACHED;
}

void gains_add(run_gains *gains, double cpu, double gpu) {
  if (gpu < 0)
    gains->unknown += cpu;
  else if (gpu < cpu)
    gains->gain += cpu - gpu;
}

int gains_are_noticeable(const run_gains *gains) {
  return gains->candidate >= NOTICEABLE;
}

double gains_worth(const run_gains *gains, double worth) {
  const double saved = gains->gain + gains->unknown;
  return saved >= worth ? saved : 0;
}

int is_long_enough(double run, double opening, int has_gained) {
  return has_gained || run * LARGEST_LOSS >= opening;
}

double saved_by_call(double cpu, double gpu, double worth) {
  return cpu - gpu >= worth ? cpu - gpu : 0;
}

int can_save(double work, double worth) {
  return work >= SLOWEST_PROCESSOR * worth;
}

double wait_for_opening(double saved) {
  return saved < LONGEST_WAIT ? saved : LONGEST_WAIT;
}

int record_promises_gain(const run_record *r, double worth) {
  const int is_slower = r->with > 0 && r->without > 0 &&
                        (double)r->with > SHORTER * (double)r->without;
  return (double)r->gain >= worth && !is_slower;
}

double gain_of_run(run_end end, const run_gains *gains, double lost) {
  const double gain = end == DEVICE_WAS_NO_GAIN ? 0
                      : end == RUN_WITH_DEVICE  ? gains->gain - lost
                                                : gains->gain + gains->unknown;
  return gain > 0 ? gain : 0;
}

void record_run(run_record *r, double gain, double seconds, int had_device) {
  r->gain = (float)gain;
  if (seconds > 0 && had_device)
    r->with = (float)(seconds + LEAVING);
  else if (seconds > 0)
    r->without = (float)seconds;
}

int costs_too_much(double lost, double run) {
  return lost > LEAST_LOSS && lost > LARGEST_LOSS * run;
}

measuring_decision decide_measuring(const solver_facts *facts, double worth) {
  if (facts->spent < SHARE_FOR_MEASURING * worth)
    return NOT_YET;
  if (facts->known >= MEASURED)
    return IS_MEASURED; // on this machine before
  const int is_tried_again = facts->known > 0 || !facts->is_kept;
  return is_tried_again && facts->run < LONG_RUN ? NOT_YET : MEASURE;
}
