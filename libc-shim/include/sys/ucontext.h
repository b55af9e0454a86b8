// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/ucontext.h - Types of contexts ------*- C -*-===*/
#ifndef GPUEXEC_SYS_UCONTEXT_H
#define GPUEXEC_SYS_UCONTEXT_H

#include <signal.h>
#include <stddef.h>

typedef long greg_t;
typedef struct {
  greg_t gregs[23];
} mcontext_t;
typedef struct ucontext_t {
  unsigned long uc_flags;
  struct ucontext_t *uc_link;
  stack_t uc_stack;
  mcontext_t uc_mcontext;
  sigset_t uc_sigmask;
} ucontext_t;

#endif
