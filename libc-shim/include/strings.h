// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/strings.h - newlib's --------------------*- C -*-===*/
#ifndef GPUEXEC_STRINGS_H
#define GPUEXEC_STRINGS_H

/* newlib declares these, glibc does not: the names are the program's. */
#pragma push_macro("fls")
#pragma push_macro("flsl")
#pragma push_macro("flsll")
#define fls __gpuexec_no_fls
#define flsl __gpuexec_no_flsl
#define flsll __gpuexec_no_flsll
#include_next <strings.h>
#pragma pop_macro("fls")
#pragma pop_macro("flsl")
#pragma pop_macro("flsll")

#endif
