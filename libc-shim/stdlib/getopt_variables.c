//===-- libc-shim/stdlib/getopt_variables.c - extern char *optarg; --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For programs that declare optarg and the others without <unistd.h>:
// toolchain/passes/language/bind_own_variables.cpp replaces each by this thread's.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/own_variable.h"
#include <gpuexec/getopt.h>

OWN_VARIABLE(char *, optarg, __gpuexec_optarg)
OWN_VARIABLE(int, optind, __gpuexec_optind)
OWN_VARIABLE(int, opterr, __gpuexec_opterr)
OWN_VARIABLE(int, optopt, __gpuexec_optopt)
