// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/execinfo.h - Backtraces: always empty ---*- C -*-===*/
#ifndef GPUEXEC_EXECINFO_H
#define GPUEXEC_EXECINFO_H

#ifdef __cplusplus
extern "C" {
#endif
int backtrace(void **, int);                        /* 0 */
char **backtrace_symbols(void *const *, int);       /* null, ENOSYS */
void backtrace_symbols_fd(void *const *, int, int); /* writes nothing */
#ifdef __cplusplus
}
#endif

#endif
