//===-- offload/blas/run/gpu.h - The device's state and user --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process has one device, which one thread uses at a time. The ledger
// (ledger.h) keeps account of the calls that are done there.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_GPU_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_GPU_H

#include "offload/blas/operands/operands.h"
#include "offload/blas/policy/names.h"

typedef enum {
  GPU_NOT_ASKED, ///< no call was worth it yet
  GPU_OPENING,   ///< a thread opens it; the processor does the calls
  GPU_READY,
  GPU_CLOSED, ///< there is none, it failed, or it was slower
} gpu_state;

typedef struct {
  offload_device device;
  operand_table operands;
  char cannot_by_rows[MOST_FUNCTIONS];
  char is_loaded[MOST_FUNCTIONS]; ///< it has loaded the function's code
} gpu;

gpu_state gpu_get_state(void);

/// Takes the device for this thread alone, until gpu_give_back(). Returns NULL
/// if it is in another state than this one. A thread that opens the device
/// takes it in the state GPU_NOT_ASKED or GPU_OPENING.
gpu *gpu_take(gpu_state);
/// Takes a device that is ready. Waits for `seconds` at most until another
/// thread gives it back; sets `*is_busy` if it does not.
gpu *gpu_take_within(int seconds, int *is_busy);
void gpu_give_back(gpu *);

/// The process uses no device from now on.
void gpu_be_off(void);
/// Returns true for the one thread that must open it in the background.
int gpu_begin_opening(void);
/// Call it when the device is open: calls may go there from now on.
void gpu_become_ready(void);
/// From now on no call goes to the device. `reason` is for the statistics.
void gpu_close(const char *reason);
/// The same; the reason is the device's last error.
void gpu_close_failed(const gpu *);

/// In a child after fork(): CUDA does not survive it.
void gpu_in_child(void);

#endif
