// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/trap_marks.h - Why an AMD program traps ---------------*- C -*-===//
 * In a program of gpucc an s_nop follows `s_trap 2`. It is never executed; its
 * operand says why the program ends itself there, and the emulator tells the
 * user. A real GPU reports it like any other trap. C and C++, on the host and
 * on the device.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_TRAP_MARKS_H
#define GPUEXEC_GPU_TRAP_MARKS_H

/* The s_nop's operand is GPUEXEC_TRAP_MARK plus one of the reasons. */
#define GPUEXEC_TRAP_MARK 0x4700
/* Reason: an integer was divided by zero, or the least integer by -1. */
#define GPUEXEC_TRAP_DIVISION 1
/* Reason: the stack has no room for the frame of a call. */
#define GPUEXEC_TRAP_STACK 2
/* Reason: free() of an address that malloc() did not return. */
#define GPUEXEC_TRAP_HEAP 3

#define GPUEXEC_TRAP_WORD(number) #number
#define GPUEXEC_TRAP_TEXT(number) GPUEXEC_TRAP_WORD(number)
/* The two instructions as assembly text. */
#define GPUEXEC_TRAP_ASSEMBLY(reason)                                          \
  "s_trap 2\n\ts_nop " GPUEXEC_TRAP_TEXT(                                      \
      GPUEXEC_TRAP_MARK) "+" GPUEXEC_TRAP_TEXT(reason)

#endif /* GPUEXEC_GPU_TRAP_MARKS_H */
