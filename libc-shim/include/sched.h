// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sched.h - newlib's and sched_yield ------*- C -*-===*/
#ifndef GPUEXEC_SCHED_H
#define GPUEXEC_SCHED_H

#include_next <sched.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Lets other waves of the GPU run. */
int sched_yield(void);
#ifdef __cplusplus
}
#endif
#endif
