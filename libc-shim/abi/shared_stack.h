//===-- libc-shim/abi/shared_stack.h - Memory for shared variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_SHARED_STACK_H
#define GPUEXEC_LIBC_SHARED_STACK_H

#include "gpu/pass_runtime.h"

/// To be used in a file that a program links if its threads access one
/// another's local variables. It makes the pass share_variables move these to
/// memory that all threads can access.
#define SHARES_LOCAL_VARIABLES                                                 \
  __attribute__((used)) static void *(*const uses_shared_stack)(               \
      uint64_t, uint64_t) = __gpuexec_more_frames

#endif
