// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- toolchain/newlib/config/newlib.h - newlib's configuration -*- C -*-===//
 * Replaces the header that newlib's configure script writes: newlib is compiled
 * from the distribution's source package without configure. Sets only macros
 * that newlib 3.3's sources and headers test.
 *===----------------------------------------------------------------------===*/
#ifndef __NEWLIB_H__
#define __NEWLIB_H__ 1

#include <_newlib_version.h>

/* Both targets: LP64, and long double is double. */
#define _HAVE_LONG_DOUBLE 1
#define _LDBL_EQ_DBL 1
#define _MB_LEN_MAX 16 /* glibc's */

/* newlib keeps per-thread state (errno, strtok, rand, asctime ...) in struct
   _reent. Every thread of the grid has one, allocated on first use, in newlib's
   smallest layout: see libc-shim/device/thread_state.c. */
#define _WANT_REENT_SMALL 1
#define _REENT_CHECK_VERIFY 1
#define __DYNAMIC_REENT__ 1
#define _REENT_GLOBAL_ATEXIT 1

#define _WANT_IO_C99_FORMATS 1
#define _WANT_IO_LONG_LONG 1
#define _WANT_IO_LONG_DOUBLE 1
#define HAVE_INITFINI_ARRAY 1

/* POSIX options that the shim has. */
#define _POSIX_TIMERS 1
#define _POSIX_MONOTONIC_CLOCK 200112L
#define _POSIX_CPUTIME 1

/* struct tm says which time zone it is in, as it does with glibc. */
#define __TM_GMTOFF tm_gmtoff
#define __TM_ZONE tm_zone

/* Mathematical functions report errors through errno. */
#define _POSIX_MODE 1

/* What newlib's headers take from the target's name. */
#ifdef __NVPTX__
#define __nvptx__ 1
#endif

/* exp, log, pow, sinf ... in the table-driven form, which is both the more
   accurate and the faster one. */
#define __OBSOLETE_MATH_DEFAULT 0

#endif
