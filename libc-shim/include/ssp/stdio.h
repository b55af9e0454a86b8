// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/stdio.h - Checks of stdio.h ---------*- C -*-===*/
#ifndef GPUEXEC_SSP_STDIO_H
#define GPUEXEC_SSP_STDIO_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0

int __vsprintf_chk(char *__restrict, int, size_t, const char *__restrict,
                   va_list);
int __vsnprintf_chk(char *__restrict, size_t, int, size_t,
                    const char *__restrict, va_list);

__FORTIFIED int vsprintf(char *__restrict __to, const char *__restrict __format,
                         va_list __list) {
  return __vsprintf_chk(__to, 0, __MEMBER_BYTES(__to), __format, __list);
}
__FORTIFIED int vsnprintf(char *__restrict __to, size_t __size,
                          const char *__restrict __format, va_list __list) {
  return __vsnprintf_chk(__to, __size, 0, __MEMBER_BYTES(__to), __format,
                         __list);
}

/* A function with variable arguments cannot be inlined. The compiler passes
   these overloads the size of the object beside the arguments. */
#if _FORTIFY_SOURCE > 2
#define __SIZED(to) to __attribute__((__pass_dynamic_object_size__(1)))
#else
#define __SIZED(to)                                                            \
  to __attribute__((__pass_object_size__(_FORTIFY_SOURCE > 1)))
#endif
static __inline__ __attribute__((__overloadable__)) __PRINTF(2, 3) int
    sprintf(char *const __SIZED(__to), const char *__format, ...) {
  va_list __list;
  va_start(__list, __format);
  const int __result =
      __vsprintf_chk(__to, 0, __MEMBER_BYTES(__to), __format, __list);
  va_end(__list);
  return __result;
}
static __inline__ __attribute__((__overloadable__)) __PRINTF(3, 4) int
    snprintf(char *const __SIZED(__to), size_t __size, const char *__format,
             ...) {
  va_list __list;
  va_start(__list, __format);
  const int __result = __vsnprintf_chk(__to, __size, 0, __MEMBER_BYTES(__to),
                                       __format, __list);
  va_end(__list);
  return __result;
}
#undef __SIZED

__FORTIFY(char *, fgets,
          (char *__restrict __to, int __size, FILE *__restrict __stream),
          (char *, size_t, int, FILE *),
          (__to, __MEMBER_BYTES(__to), __size, __stream))
__FORTIFY(char *, fgets_unlocked,
          (char *__restrict __to, int __size, FILE *__restrict __stream),
          (char *, size_t, int, FILE *),
          (__to, __MEMBER_BYTES(__to), __size, __stream))
__FORTIFY(size_t, fread,
          (void *__restrict __to, size_t __size, size_t __count,
           FILE *__restrict __stream),
          (void *, size_t, size_t, size_t, FILE *),
          (__to, __OBJECT_BYTES(__to), __size, __count, __stream))
__FORTIFY(size_t, fread_unlocked,
          (void *__restrict __to, size_t __size, size_t __count,
           FILE *__restrict __stream),
          (void *, size_t, size_t, size_t, FILE *),
          (__to, __OBJECT_BYTES(__to), __size, __count, __stream))

#endif
#endif
