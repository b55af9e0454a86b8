// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/gpuexec/socklen.h - socklen_t -----------*- C -*-===*/
#ifndef GPUEXEC_SOCKLEN_H
#define GPUEXEC_SOCKLEN_H

typedef unsigned socklen_t;

#endif
