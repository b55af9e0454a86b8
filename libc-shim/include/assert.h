// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/assert.h --------------------------------*- C -*-===*/
#undef assert
#ifdef __cplusplus
#define __ASSERT_FUNCTION __extension__ __PRETTY_FUNCTION__
#else
#define __ASSERT_FUNCTION __func__
#endif
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                      \
  ((condition)                                                                 \
       ? (void)0                                                               \
       : __assert_fail(#condition, __FILE__, __LINE__, __ASSERT_FUNCTION))
#endif
#include <sys/features.h>
#if __GNU_VISIBLE /* ends the program where the number is not 0 */
#undef assert_perror
#ifdef NDEBUG
#define assert_perror(number) ((void)0)
#else
#define assert_perror(number)                                                  \
  (!(number) ? (void)0                                                         \
             : __assert_perror_fail((number), __FILE__, __LINE__,              \
                                    __ASSERT_FUNCTION))
#endif
#endif

#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif

#ifndef GPUEXEC_ASSERT_H
#define GPUEXEC_ASSERT_H
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((__noreturn__)) void __assert_fail(const char *condition,
                                                 const char *file,
                                                 unsigned line,
                                                 const char *function);
__attribute__((__noreturn__)) void __assert_perror_fail(int number,
                                                        const char *file,
                                                        unsigned line,
                                                        const char *function);
#ifdef __cplusplus
}
#endif
#endif
