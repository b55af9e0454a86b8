// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/limits.h - newlib's, POSIX's and C23's --*- C -*-===*/
#ifndef GPUEXEC_LIMITS_H
#define GPUEXEC_LIMITS_H

#include <sys/features.h>
#include_next <limits.h>

#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L
#undef BOOL_WIDTH
#undef BOOL_MAX
#define BOOL_WIDTH 1
#define BOOL_MAX 1
#undef CHAR_WIDTH
#undef SCHAR_WIDTH
#undef UCHAR_WIDTH
#undef SHRT_WIDTH
#undef USHRT_WIDTH
#undef INT_WIDTH
#undef UINT_WIDTH
#undef LONG_WIDTH
#undef ULONG_WIDTH
#undef LLONG_WIDTH
#undef ULLONG_WIDTH
#define CHAR_WIDTH 8
#define SCHAR_WIDTH 8
#define UCHAR_WIDTH 8
#define SHRT_WIDTH 16
#define USHRT_WIDTH 16
#define INT_WIDTH 32
#define UINT_WIDTH 32
#define LONG_WIDTH 64
#define ULONG_WIDTH 64
#define LLONG_WIDTH 64
#define ULLONG_WIDTH 64
#endif

/* As on Linux. */
#if __POSIX_VISIBLE
#define AIO_PRIO_DELTA_MAX 20
#define CHARCLASS_NAME_MAX 2048
#define DELAYTIMER_MAX 2147483647
#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define MQ_PRIO_MAX 32768
#define RTSIG_MAX 32
#define SEM_VALUE_MAX 2147483647
#define TTY_NAME_MAX 32
#define XATTR_LIST_MAX 65536
#define XATTR_NAME_MAX 255
#define XATTR_SIZE_MAX 65536
#endif
#if __XSI_VISIBLE || __GNU_VISIBLE
#define LONG_BIT 64
#define WORD_BIT 32
#define NZERO 20
#define NL_LANGMAX 2048
#define NL_MSGMAX INT_MAX
#define NL_NMAX INT_MAX
#define NL_SETMAX INT_MAX
#define NL_TEXTMAX INT_MAX
#endif
#endif
