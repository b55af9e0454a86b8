//===-- libc-shim/device/trap.h - An end that a report explains -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_DEVICE_TRAP_H
#define GPUEXEC_LIBC_DEVICE_TRAP_H

#include "gpu/trap_marks.h"
#include "libc-shim/device/if_linked.h"
#include <stdlib.h>

/// Called by abort() first: runs the handler of SIGABRT. Null when the program
/// sets no handlers.
extern void (*__gpuexec_before_abort)(void);

#ifdef __AMDGPU__
#define TRAP_AT_ONCE(reason) __asm__ volatile(GPUEXEC_TRAP_ASSEMBLY(reason))
#else
#define TRAP_AT_ONCE(reason)                                                   \
  if ((reason) != GPUEXEC_TRAP_HEAP)                                           \
  __builtin_trap()
#endif

/// Ends the program as a fault does: the emulated GPU reports the functions and
/// lines that led here, and the status is that of the reason's signal. What the
/// program has printed is written out. A program that handles SIGABRT is told
/// of wrong use of the heap. `reason`: of trap_marks.h.
#define TRAP(reason)                                                           \
  do {                                                                         \
    __stream_flush_all_if_any();                                               \
    if ((reason) != GPUEXEC_TRAP_HEAP || !__gpuexec_before_abort)              \
      TRAP_AT_ONCE(reason);                                                    \
    abort();                                                                   \
  } while (0)

#endif
