//===-- offload/blas/warming.h - A function's first call on the device ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It loads code, which takes 50 to 150 ms on an H200: more than a hundred calls
// may save. So a thread of ours makes the first call of a function, on memory
// that nobody needs, while the processor does the program's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_WARMING_H
#define GPUEXEC_OFFLOAD_BLAS_WARMING_H

#include "offload/blas/state.h"

/// With the lock, and the device entered: has the call's function loaded for
/// calls of its size. True: it is loaded now (`waits`); false: it will be, if
/// nothing else is being loaded.
int blas_warm_up(const blas_call *, operand_entry *const *entries);

#endif
