// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/ssp.h - _FORTIFY_SOURCE -------------*- C -*-===*/
/* With -D_FORTIFY_SOURCE=1, 2 or 3 <string.h> and others include the files of
 * this folder. These define functions with the names of the plain ones, which
 * the compiler inlines: they end the program instead of writing behind an
 * object of which the compiler knows the size. With 2 sprintf and snprintf treat
 * a member of a structure as an object, 3 includes sizes that are known at run
 * time only. C only, not C++, and as in glibc only where the compiler optimises:
 * without that it knows no sizes.
 */
#ifndef GPUEXEC_SSP_SSP_H
#define GPUEXEC_SSP_SSP_H

#define __need_size_t
#include <stddef.h>
#include <sys/features.h>

#ifndef __OPTIMIZE__
#undef __SSP_FORTIFY_LEVEL
#define __SSP_FORTIFY_LEVEL 0
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* Print "*** buffer overflow detected ***: terminated", or `what` instead of
   the first words, on standard error and abort. */
__attribute__((__noreturn__)) void __chk_fail(void);
__attribute__((__noreturn__)) void __fortify_fail(const char *what);
#ifdef __cplusplus
}
#endif

/* Bytes behind `to` within its object, (size_t)-1 if they are not known. */
#if _FORTIFY_SOURCE > 2
#define __OBJECT_BYTES(to) __builtin_dynamic_object_size(to, 0)
#define __MEMBER_BYTES(to) __builtin_dynamic_object_size(to, 1)
#else
#define __OBJECT_BYTES(to) __builtin_object_size(to, 0)
#define __MEMBER_BYTES(to) __builtin_object_size(to, _FORTIFY_SOURCE > 1)
#endif

#define __FORTIFIED                                                            \
  extern __inline__                                                            \
      __attribute__((__always_inline__, __gnu_inline__, __artificial__))

/* Defines a function by the entry point that does the same with a check. clang
   takes no definition that calls the plain function by another name. */
#define __FORTIFY(type, name, parameters, checked_parameters, call)            \
  type __##name##_chk checked_parameters;                                      \
  __FORTIFIED type name parameters { return __##name##_chk call; }

#endif
