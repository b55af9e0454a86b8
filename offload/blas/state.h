//===-- offload/blas/state.h - What the process has, once ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_STATE_H
#define GPUEXEC_OFFLOAD_BLAS_STATE_H

#include "offload/blas/history.h"
#include "offload/blas/intercept.h"
#include "offload/blas/model.h"
#include "offload/blas/statistics.h"
#include <pthread.h>

typedef enum {
  DEVICE_NOT_ASKED, ///< no call was worth it yet
  DEVICE_OPENING,   ///< a thread opens it; the processor does the calls
  DEVICE_READY,
  DEVICE_CLOSED, ///< there is none, it failed, or it was no gain
} device_state;

enum { MEASURING_NOT_ASKED, MEASURING_ASKED, MEASURING_DONE };

/// Seconds that the end of a process waits at most for a step of a thread of
/// ours: the driver's start, a library that is loaded, a call that is measured.
enum { LONGEST_WAIT = 1 };

typedef struct {
  blas_settings settings;
  int state;            ///< device_state; atomic
  pthread_mutex_t lock; ///< of the device, its operands and the governor
  blas_device device;
  operand_table operands;
  blas_governor governor;
  double explored;       ///< seconds that trying things out has cost at most
  pthread_mutex_t notes; ///< of the model and the statistics; held for moments
  blas_model model;
  blas_statistics statistics;
  double candidate;  ///< seconds of the processor in calls for the device
  double gain;       ///< of those, what the device would have saved
  double unknown;    ///< of those, where nobody knows what it would have saved
  int is_prepared;   ///< the model and the program's history were read
  int is_known_gain; ///< atomic: the last run with these arguments says so
  int is_worth_it;   ///< atomic: the device is to be opened
  int has_gained;    ///< the program has, with other arguments
  int was_cut_off;   ///< the process ended while it was being opened
  char cannot_by_rows[MOST_FUNCTIONS];
  char warm[MOST_FUNCTIONS]; ///< cuBLAS has loaded its code
  // Of solvers, by whose rate they have on the GPU:
  double spent[MOST_FUNCTIONS];   ///< seconds of the processor
  char measuring[MOST_FUNCTIONS]; ///< MEASURING_...
  int is_measuring;               ///< atomic: a thread does
  int is_warming;                 ///< atomic: code is being loaded
  char model_key[1000], model_file[4096], history_file[4096];
  history_keys program;    ///< in the history
  pthread_mutex_t loading; ///< held while libraries are loaded
  int stopping;            ///< atomic: the process ends
  double wait_until;       ///< when its end goes on; 0: it has not begun
  int background_process;  ///< whose threads they are
  int background;          ///< atomic: threads of ours that run (background.h)
  unsigned background_started; ///< atomic: how many have been started
} blas_process;

extern blas_process blas __attribute__((visibility("hidden")));

double blas_now(void);

/// Calls of BLAS that this thread makes meanwhile go to the program's BLAS:
/// those of the tests' stand-in for cuBLAS.
void blas_be_inside(int is);

/// No more calls on the device in this process. `reason` is for the statistics.
void blas_close_device(const char *reason);
/// The same: what blas.device.error says went wrong.
void blas_close_failed_device(void);

/// With `notes`: reads the model of this machine, and what this program gained
/// before. preparing.c
void blas_prepare(void);
/// With `notes`: is the next run of this key to have the device at once? Below
/// 0: nothing is known of it. What it gains is a guess before a run has had the
/// device; then it is known which run took longer.
int blas_gains(uint64_t key);
/// Opens the device and learns how fast it is: opening.c. In a thread, or now.
void blas_start_opening(void);
void blas_open_now(void);

/// With `notes`: is a solver to be measured on the device, on which the
/// processor has spent blas.spent and is about to spend so many seconds `more`?
/// True: the caller is to start measuring that function. measuring.c
int blas_asks_for_measuring(const blas_call *, double more);
/// In a thread, or now where calls wait for the device.
void blas_start_measuring(void);
/// With the device entered: one call of the smallest size that is measured.
int blas_measure_once(unsigned function, double *seconds);

/// With `notes`: seconds that the device needs for a call at least, whatever is
/// there already; below 0: not known. execution.c
double blas_least_on_device(const blas_call *);

/// With the lock: has the device do the call if that is expected to be faster.
/// True: it is done. execution.c
int blas_try_device(blas_call *);

#endif
