//===-- offload/blas/run/loading.h - A function's first call on the device ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It loads code, which takes 50 to 150 ms on an H200: more than a hundred calls
// may save. So a thread of ours makes the first call of a function, on memory
// that nobody needs, while the processor does the program's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_LOADING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_LOADING_H

#include "offload/blas/run/call.h"
#include "offload/blas/run/gpu.h"

/// With the device entered: has the call's function loaded for calls of its
/// size. True: it is loaded now (`waits`); false: it will be, if nothing else
/// is being loaded.
int load_function(gpu *, const offload_call *, operand_entry *const *entries);
void loading_in_child(void);

#endif
