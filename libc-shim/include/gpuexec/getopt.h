/*===-- libc-shim/include/gpuexec/getopt.h - getopt() -------------*- C -*-===//
 * What <unistd.h> has of it: not struct option, a name that programs use.
 * Every thread of the grid runs main and may parse the arguments, so optind,
 * optarg, opterr and optopt are per thread.
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
int getopt(int, char *const[], const char *);
#ifdef __cplusplus
}
#endif

/* For programs that declare them: "extern int optind;". */
#define optarg (*__gpuexec_optarg())
#define optind (*__gpuexec_optind())
#define opterr (*__gpuexec_opterr())
#define optopt (*__gpuexec_optopt())
#endif
