/*===-- libc-shim/include/setjmp.h - Link errors ------------------*- C -*-===*/
#ifndef GPUEXEC_SETJMP_H
#define GPUEXEC_SETJMP_H

#include <gpuexec/unavailable.h>

typedef long jmp_buf[8];
typedef long sigjmp_buf[8];

#ifdef __cplusplus
extern "C" {
#endif
int setjmp(jmp_buf) __GPUEXEC_NO_JUMPS(setjmp);
int _setjmp(jmp_buf) __GPUEXEC_NO_JUMPS(_setjmp);
int sigsetjmp(sigjmp_buf, int) __GPUEXEC_NO_JUMPS(sigsetjmp);
__attribute__((__noreturn__)) void longjmp(jmp_buf, int)
    __GPUEXEC_NO_JUMPS(longjmp);
__attribute__((__noreturn__)) void _longjmp(jmp_buf, int)
    __GPUEXEC_NO_JUMPS(_longjmp);
__attribute__((__noreturn__)) void siglongjmp(sigjmp_buf, int)
    __GPUEXEC_NO_JUMPS(siglongjmp);
#ifdef __cplusplus
}
#endif
#define setjmp(buffer) setjmp(buffer)
#endif
