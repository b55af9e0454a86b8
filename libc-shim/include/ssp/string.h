// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/string.h - Checks of string.h -------*- C -*-===*/
#ifndef GPUEXEC_SSP_STRING_H
#define GPUEXEC_SSP_STRING_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0

/* Functions that the compiler knows. */
#define __FORTIFY_SIZED(type, name, from_type, bytes)                          \
  __FORTIFIED type name(type __to, from_type __from, size_t __size) {          \
    if (__size > bytes(__to))                                                  \
      __chk_fail();                                                            \
    return __builtin_##name(__to, __from, __size);                             \
  }
__FORTIFY_SIZED(void *, memcpy, const void *, __OBJECT_BYTES)
__FORTIFY_SIZED(void *, memmove, const void *, __OBJECT_BYTES)
__FORTIFY_SIZED(void *, memset, int, __OBJECT_BYTES)
__FORTIFY_SIZED(char *, strncpy, const char *, __MEMBER_BYTES)
#if __GNU_VISIBLE
__FORTIFY_SIZED(void *, mempcpy, const void *, __OBJECT_BYTES)
#endif
#if __POSIX_VISIBLE >= 200809
__FORTIFY_SIZED(char *, stpncpy, const char *, __MEMBER_BYTES)
#endif

char *__strcpy_chk(char *__restrict, const char *__restrict, size_t);
char *__stpcpy_chk(char *__restrict, const char *__restrict, size_t);
char *__strcat_chk(char *__restrict, const char *__restrict, size_t);
char *__strncat_chk(char *__restrict, const char *__restrict, size_t, size_t);

#define __FORTIFY_STRING(name)                                                 \
  __FORTIFIED char *name(char *__restrict __to,                                \
                         const char *__restrict __from) {                      \
    if (__MEMBER_BYTES(__to) == (size_t)-1)                                    \
      return __builtin_##name(__to, __from);                                   \
    return __##name##_chk(__to, __from, __MEMBER_BYTES(__to));                 \
  }
__FORTIFY_STRING(strcpy)
__FORTIFY_STRING(strcat)
#if __POSIX_VISIBLE >= 200809
__FORTIFY_STRING(stpcpy)
#endif
__FORTIFIED char *strncat(char *__restrict __to, const char *__restrict __from,
                          size_t __size) {
  if (__MEMBER_BYTES(__to) == (size_t)-1)
    return __builtin_strncat(__to, __from, __size);
  return __strncat_chk(__to, __from, __size, __MEMBER_BYTES(__to));
}

#undef __FORTIFY_SIZED
#undef __FORTIFY_STRING
#endif
#endif
