//===-- libc-shim/device/own_variable.h - A variable of each thread -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// errno, optarg and their like are one variable per thread, whose address a
// function returns. A program may declare one as an ordinary variable (`extern
// int errno;`). OWN_VARIABLE defines that variable. Its section tells the pass
// toolchain/passes/language/bind_own_variables.cpp to replace its address with
// the result of `function`; keep_... makes the linker include `function`.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_OWN_VARIABLE_H
#define GPUEXEC_LIBC_OWN_VARIABLE_H

#include "gpu/pass_runtime.h"

#define OWN_VARIABLE(type, name, function)                                     \
  __attribute__((section(GPUEXEC_OWN_VARIABLES)))                              \
  type variable_of_##function __asm__(#name);                                  \
  __attribute__((used)) static type *(*const keep_##function)(void) = function;

#endif
