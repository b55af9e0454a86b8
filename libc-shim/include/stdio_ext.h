// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/stdio_ext.h - State of a stream ---------*- C -*-===//
 * Solaris' functions, as in glibc and musl. GNU programs use them.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_STDIO_EXT_H
#define GPUEXEC_STDIO_EXT_H

#include <stdio.h>

#define FSETLOCKING_QUERY 0
#define FSETLOCKING_INTERNAL 1
#define FSETLOCKING_BYCALLER 2

#ifdef __cplusplus
extern "C" {
#endif
/* Bytes that are written but not yet sent to the host, and the buffer's size. */
size_t __fpending(FILE *);
size_t __fbufsize(FILE *);
/* Drops bytes that are read ahead or not yet sent. */
void __fpurge(FILE *);
/* musl's, which gnulib uses. The number of bytes that are read ahead; their
   address and number, or null without any; passes over `size` of them. */
size_t __freadahead(FILE *);
const char *__freadptr(FILE *, size_t *size);
void __freadptrinc(FILE *, size_t size);
/* May the stream be read, written? */
int __freadable(FILE *);
int __fwritable(FILE *);
/* Was the last operation a read, a write, or is no other possible? */
int __freading(FILE *);
int __fwriting(FILE *);
/* Is the stream line buffered? */
int __flbf(FILE *);
void _flushlbf(void);
/* Sets what ferror() returns. */
void __fseterr(FILE *);
/* Streams always lock: returns FSETLOCKING_INTERNAL. */
int __fsetlocking(FILE *, int);
#ifdef __cplusplus
}
#endif
#endif
