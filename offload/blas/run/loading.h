//===-- offload/blas/run/loading.h - A function's first call on the device ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first call of a function on the device loads its code, which takes 50 to
// 150 ms on an H200: more than a hundred calls may save. So a background thread
// makes a first call, on memory of its own, while the processor does the
// program's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_LOADING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_LOADING_H

#include "offload/blas/run/call.h"
#include "offload/blas/run/gpu.h"

/// Has the function's code loaded, for calls of this size. The device must have
/// been entered. Returns true if the code is loaded now, because calls wait for
/// it (`waits`); false if a background thread loads it, or loads another
/// function.
int load_function(gpu *, const offload_call *, operand_entry *const *entries);
void loading_in_child(void);

#endif
