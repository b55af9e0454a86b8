//===-- libc-shim/device/trap.h - An end that a report explains -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_DEVICE_TRAP_H
#define GPUEXEC_LIBC_DEVICE_TRAP_H

#include "gpu/trap_marks.h"
#include "libc-shim/device/if_linked.h"
#include <stdlib.h>

/// Runs the handler of SIGABRT; abort() calls it first. Null until the program
/// sets an action for SIGABRT.
extern void (*__gpuexec_before_abort)(void);

#ifdef __AMDGPU__
#define TRAP_AT_ONCE(reason) __asm__ volatile(GPUEXEC_TRAP_ASSEMBLY(reason))
#else
#define TRAP_AT_ONCE(reason)                                                   \
  if ((reason) != GPUEXEC_TRAP_HEAP)                                           \
  __builtin_trap()
#endif

/// Flushes the streams and ends the program as a fault does: the emulated GPU
/// reports the call stack, and the exit status is that of the signal that
/// trap_marks.h gives for `reason`. For GPUEXEC_TRAP_HEAP in a program that
/// handles SIGABRT, calls abort() instead, which runs the handler.
#define TRAP(reason)                                                           \
  do {                                                                         \
    __stream_flush_all_if_any();                                               \
    if ((reason) != GPUEXEC_TRAP_HEAP || !__gpuexec_before_abort)              \
      TRAP_AT_ONCE(reason);                                                    \
    abort();                                                                   \
  } while (0)

#endif
