//===-- libc-shim/posix/memory_locks.h - What mlockall() has locked -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_MEMORY_LOCKS_H
#define GPUEXEC_LIBC_MEMORY_LOCKS_H

#include <stdbool.h>

/// Between mlockall() and munlockall(): msync() must not invalidate memory.
extern bool __gpuexec_memory_is_locked;

#endif
