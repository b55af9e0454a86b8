//===-- offload/blas/run/ledger.h - Times and gains of this run -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ledger has the model of this machine, the statistics, and the time that a
// device saves or would save. Every function takes the ledger's lock for a
// short time, and calls nothing that takes another lock. The rules are in
// policy/.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_LEDGER_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_LEDGER_H

#include "offload/blas/policy/opening.h"
#include "offload/blas/run/call.h"

/// Called when the run begins.
void ledger_start(void);
/// In a child after fork(): begins a run of its own.
void ledger_in_child(void);
/// Seconds since the run began.
double ledger_run_seconds(void);

/// Notes the device's state for the statistics.
__attribute__((format(printf, 1, 2))) void ledger_set_state(const char *format,
                                                            ...);
void ledger_note_busy(void);      ///< another thread had the device
void ledger_note_no_memory(void); ///< the device had none for a call

//===-- Is the device worth opening? --------------------------------------===//

/// Whether the calls of this run make opening the device worth it.
int ledger_is_worth_opening(void);
/// Whether earlier runs with these arguments make it worth it.
int ledger_promises_gain(void);
/// Seconds that this call alone is expected to save, if they make opening the
/// device worth it; else 0.
double ledger_saved_by(const offload_call *);

/// Called when a GPU was opened. Returns true if the model has its rates.
/// Forgets rates of another GPU, or of another driver.
int ledger_knows_gpu(const char *name, int driver);
/// Adds what was measured of the GPU. Rates that the program's own calls have
/// shown stay: they are newer.
void ledger_add_measured(const offload_model *);
/// Notes the device for the statistics. `unwatched`: why operands do not stay
/// there, or NULL; `seconds`: how long opening took.
void ledger_note_device(const char *name, const char *unwatched,
                        double seconds);

//===-- Calls -------------------------------------------------------------===//

/// Notes that the processor has done a call. `own`: its seconds without those
/// of calls inside it. `is_disturbed`: a background thread ran meanwhile and
/// took a processor from the program's BLAS; the time is not used, because it
/// would make the device look better than it is. True: the call was counted
/// among those for a device.
int ledger_note_cpu(const offload_call *, double seconds, double own,
                    int is_disturbed, int has_device);

/// Whether the processor is faster even if no operand had to be copied.
int ledger_is_hopeless(const offload_call *);
/// Decides where the call is done; sets its expected costs.
call_place ledger_decide(const offload_call *, const operand_cost *,
                         int matrix_stays, int is_loaded, call_costs *);

/// The times of a call on the device: when it began, and when copies to the
/// device, its work and copies back ended.
typedef struct {
  double began, copied, computed, ended;
  size_t up, down; ///< bytes
} call_times;
void ledger_note_gpu(const offload_call *, const call_costs *,
                     const call_times *, int was_loaded);

/// Adds the seconds by which the device was slower than the processor; below 0:
/// faster. Returns true, with the reason in `why`, if the device must be given
/// up.
int ledger_account(double lost, char *why, size_t size);

//===-- Functions of LAPACK that are measured ------------------------------===//

/// Called when the device is ready: notes whether the call's function should be
/// measured there. `more`: seconds that the processor is about to spend in this
/// call. Returns true if the caller must start measuring.
int ledger_asks_for_measuring(const offload_call *, double more);
/// Takes the next function that waits for being measured. MOST_FUNCTIONS: there
/// is none, and measuring has ended.
unsigned ledger_take_function(void);
void ledger_stop_measuring(void);
/// Call it before a call is measured, which may take `seconds`.
void ledger_expect(unsigned function, double work, double seconds);
/// Call it after that; the call took `seconds`.
void ledger_limit(unsigned function, double work, double seconds);

/// Whether the ledger has read or stored anything in the kept files.
int ledger_is_in_use(void);
/// Ends the run, which took `seconds`: keeps what was learned, and writes the
/// statistics. `was_asked`: a call wanted the device to be opened.
void ledger_end(run_end, int was_asked, double seconds);

#endif
