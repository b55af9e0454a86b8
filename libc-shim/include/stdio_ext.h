/*===-- libc-shim/include/stdio_ext.h - What a stream is about ----*- C -*-===//
 * Solaris' functions, as glibc and musl have them: GNU's programs ask for them.
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
/* Bytes that are written and not yet sent to the host, and how many may be. */
size_t __fpending(FILE *);
size_t __fbufsize(FILE *);
/* Forgets what is read ahead or not yet sent. */
void __fpurge(FILE *);
/* Whether it was opened so that it may be read or written; */
int __freadable(FILE *);
int __fwritable(FILE *);
/* whether the last operation was such, or the stream can do nothing else; */
int __freading(FILE *);
int __fwriting(FILE *);
/* whether each line is sent by itself. */
int __flbf(FILE *);
void _flushlbf(void);
/* What ferror() tells from now on. */
void __fseterr(FILE *);
/* Streams always lock; the answer is FSETLOCKING_INTERNAL. */
int __fsetlocking(FILE *, int);
#ifdef __cplusplus
}
#endif
#endif
