// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/gpuexec/getopt.h - getopt() -------------*- C -*-===//
 * What <unistd.h> has of it: not struct option, a name that programs use.
 * Every thread of the grid runs main and may parse the arguments, so optind,
 * optarg, opterr and optopt are per thread, though they look like variables of
 * the program: the compiler replaces them (toolchain/passes,
 * bind_own_variables). Macros would also replace parameters of these names.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GETOPT_CORE_H
#define GPUEXEC_GETOPT_CORE_H

#ifdef __cplusplus
extern "C" {
#endif
char **__gpuexec_optarg(void);
int *__gpuexec_optind(void);
int *__gpuexec_opterr(void);
int *__gpuexec_optopt(void);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
#ifdef __cplusplus
}
#endif
#endif
