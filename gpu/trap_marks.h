// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/trap_marks.h - Why an AMD program traps ---------------*- C -*-===//
 * An s_nop behind `s_trap 2`, which is never executed, says why a program of
 * gpucc's ends itself there. The emulator tells the user; a real GPU reports a
 * trap like any other. C and C++, on the host and on the device.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_TRAP_MARKS_H
#define GPUEXEC_GPU_TRAP_MARKS_H

/* The s_nop's operand is this plus a reason. */
#define GPUEXEC_TRAP_MARK 0x4700
/* An integer was divided by zero, or the least one by -1. */
#define GPUEXEC_TRAP_DIVISION 1
/* No room for the frame of a call. */
#define GPUEXEC_TRAP_STACK 2
/* free() of what malloc() did not give. */
#define GPUEXEC_TRAP_HEAP 3

#define GPUEXEC_TRAP_WORD(number) #number
#define GPUEXEC_TRAP_TEXT(number) GPUEXEC_TRAP_WORD(number)
/* Assembly of the two instructions. */
#define GPUEXEC_TRAP_ASSEMBLY(reason)                                          \
  "s_trap 2\n\ts_nop " GPUEXEC_TRAP_TEXT(                                      \
      GPUEXEC_TRAP_MARK) "+" GPUEXEC_TRAP_TEXT(reason)

#endif /* GPUEXEC_GPU_TRAP_MARKS_H */
