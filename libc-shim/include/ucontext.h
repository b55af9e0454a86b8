// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ucontext.h - Contexts: types and link errors -*- C -*-===*/
#ifndef GPUEXEC_UCONTEXT_H
#define GPUEXEC_UCONTEXT_H

#include <gpuexec/unavailable.h>
#include <sys/ucontext.h>

#ifdef __cplusplus
extern "C" {
#endif
int getcontext(ucontext_t *) __GPUEXEC_NO_CONTEXTS(getcontext);
int setcontext(const ucontext_t *) __GPUEXEC_NO_CONTEXTS(setcontext);
void makecontext(ucontext_t *, void (*)(void), int, ...)
    __GPUEXEC_NO_CONTEXTS(makecontext);
int swapcontext(ucontext_t *, const ucontext_t *)
    __GPUEXEC_NO_CONTEXTS(swapcontext);
#ifdef __cplusplus
}
#endif

#endif
