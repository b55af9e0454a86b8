// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/setjmp.h - Jumps out of functions -------*- C -*-===*/
#ifndef GPUEXEC_SETJMP_H
#define GPUEXEC_SETJMP_H

/* What jumps to is a place in an activation of a function. No stack and no
 * registers are saved: toolchain/passes/shared/jumps.cpp. */
struct __gpuexec_jump_buffer {
  unsigned long long __activation;
  unsigned __place;
  int __has_signals; /* sigsetjmp has saved the mask of blocked signals */
  unsigned long long __signals;
};
typedef struct __gpuexec_jump_buffer jmp_buf[1];
typedef struct __gpuexec_jump_buffer sigjmp_buf[1];

#define __GPUEXEC_TWICE __attribute__((__returns_twice__))
#define __GPUEXEC_AWAY __attribute__((__noreturn__))
#ifdef __cplusplus
extern "C" {
#endif
int setjmp(jmp_buf) __GPUEXEC_TWICE;
int _setjmp(jmp_buf) __GPUEXEC_TWICE;
int sigsetjmp(sigjmp_buf, int) __GPUEXEC_TWICE;
int __sigsetjmp(sigjmp_buf, int) __GPUEXEC_TWICE;
void longjmp(jmp_buf, int) __GPUEXEC_AWAY;
void _longjmp(jmp_buf, int) __GPUEXEC_AWAY;
void siglongjmp(sigjmp_buf, int) __GPUEXEC_AWAY;
#ifdef __cplusplus
}
#endif
#undef __GPUEXEC_TWICE
#undef __GPUEXEC_AWAY
#define setjmp(buffer) setjmp(buffer)
#define sigsetjmp(buffer, mask) sigsetjmp(buffer, mask)
#endif
