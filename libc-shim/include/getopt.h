/*===-- libc-shim/include/getopt.h - Options, per thread ----------*- C -*-===//
 * Every thread of the grid runs main and may parse the arguments, so optind,
 * optarg, opterr and optopt are per thread.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GETOPT_H
#define GPUEXEC_GETOPT_H

#define no_argument 0
#define required_argument 1
#define optional_argument 2

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

#ifdef __cplusplus
extern "C" {
#endif
char **__gpuexec_optarg(void);
int *__gpuexec_optind(void);
int *__gpuexec_opterr(void);
int *__gpuexec_optopt(void);
int getopt(int, char *const[], const char *);
int getopt_long(int, char *const[], const char *, const struct option *, int *);
int getopt_long_only(int, char *const[], const char *, const struct option *,
                     int *);
#ifdef __cplusplus
}
#endif

/* For programs that declare them: "extern int optind;". */
#define optarg (*__gpuexec_optarg())
#define optind (*__gpuexec_optind())
#define opterr (*__gpuexec_opterr())
#define optopt (*__gpuexec_optopt())
#endif
