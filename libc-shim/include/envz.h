// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/envz.h - newlib's and error_t -----------*- C -*-===*/
#ifndef GPUEXEC_ENVZ_H
#define GPUEXEC_ENVZ_H

#ifndef __error_t_defined /* <errno.h> has it for _GNU_SOURCE only */
typedef int error_t;
#define __error_t_defined 1
#endif
#include_next <envz.h>

#endif
