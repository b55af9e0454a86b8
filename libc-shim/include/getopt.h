// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/getopt.h - Long options -----------------*- C -*-===*/
#ifndef GPUEXEC_GETOPT_H
#define GPUEXEC_GETOPT_H

#include <gpuexec/getopt.h>

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
int getopt_long(int, char *const[], const char *, const struct option *, int *);
int getopt_long_only(int, char *const[], const char *, const struct option *,
                     int *);
#ifdef __cplusplus
}
#endif
#endif
