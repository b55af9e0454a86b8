//===-- libc-shim/abi/shared_stack.h - Memory for shared variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_SHARED_STACK_H
#define GPUEXEC_LIBC_SHARED_STACK_H

#include "gpu/pass_runtime.h"

/// In a file of a program whose threads reach one another's local variables:
/// the pass share_variables moves those to memory that all threads see.
#define SHARES_LOCAL_VARIABLES                                                 \
  __attribute__((used)) static void *(*const uses_shared_stack)(               \
      uint64_t, uint64_t) = __gpuexec_more_frames

#endif
