//===-- libc-shim/abi/large_variables.h - Local variables on the heap -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_LARGE_VARIABLES_H
#define GPUEXEC_LIBC_LARGE_VARIABLES_H

#include <stdint.h>

void *__gpuexec_begin_variables(uint64_t size, uint64_t alignment);
void __gpuexec_end_variables(void *variables);

/// The newest block of the calling thread, or null.
void *__large_variables(void);
/// Frees the calling thread's blocks that are newer than `kept`, which
/// __large_variables() returned. For a jump to where that was called, and for
/// the end of a scope or function that began there.
void __free_large_variables(void *kept);

#endif
