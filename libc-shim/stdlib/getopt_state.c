//===-- libc-shim/stdlib/getopt_state.c - optarg, optind, opterr, optopt --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate from getopt(): a program that defines its own getopt() still uses
// these variables, whose addresses these functions return.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdlib/getopt_state.h"
#include "gpu/pass_runtime.h"
#include <gpuexec/getopt.h>

thread_state *__getopt_state(void) {
  thread_state *mine = __thread_state();
  if (!mine->getopt.ready) {
    mine->getopt.ready = true;
    mine->getopt.index = mine->getopt.error = 1;
    mine->getopt.first = mine->getopt.last = 1;
  }
  return mine;
}

char **__gpuexec_optarg(void) { return &__getopt_state()->getopt.argument; }
int *__gpuexec_optind(void) { return &__getopt_state()->getopt.index; }
int *__gpuexec_opterr(void) { return &__getopt_state()->getopt.error; }
int *__gpuexec_optopt(void) { return &__getopt_state()->getopt.option; }
