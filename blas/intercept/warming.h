//===-- blas/intercept/warming.h - A function's first call on the device ---===//
// It loads code, which takes 50 to 150 ms on an H200: as long as a program may
// win by a hundred calls. So the first call of a function is made with memory
// that nobody needs, by a thread of its own, while the processor goes on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_INTERCEPT_WARMING_H
#define GPUEXEC_BLAS_INTERCEPT_WARMING_H

#include "blas/intercept/state.h"

/// With the lock, and the device entered: has the call's function loaded for
/// calls of its size. True: it is loaded now (`waits`); false: it will be, if
/// nothing else is being loaded.
int blas_warm_up(const blas_call *, operand_entry *const *entries);

#endif
