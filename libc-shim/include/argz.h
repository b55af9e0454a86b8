// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/argz.h - newlib's and error_t -----------*- C -*-===*/
#ifndef GPUEXEC_ARGZ_H
#define GPUEXEC_ARGZ_H

#ifndef __error_t_defined /* <errno.h> has it for _GNU_SOURCE only */
typedef int error_t;
#define __error_t_defined 1
#endif
#include_next <argz.h>

#endif
