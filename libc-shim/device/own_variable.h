//===-- libc-shim/device/own_variable.h - A variable of each thread -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variable that programs may declare for what is a call in the headers. The
// section tells toolchain/passes/language/bind_own_variables.cpp that it is the
// library's; the reference brings the function into the program.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_OWN_VARIABLE_H
#define GPUEXEC_LIBC_OWN_VARIABLE_H

#include "gpu/pass_runtime.h"

#define OWN_VARIABLE(type, name, function)                                     \
  __attribute__((section(GPUEXEC_OWN_VARIABLES)))                              \
  type variable_of_##function __asm__(#name);                                  \
  __attribute__((used)) static type *(*const keep_##function)(void) = function;

#endif
