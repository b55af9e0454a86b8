// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/stdio.h - Streams, served by the host ---*- C -*-===//
 * C17's <stdio.h> and POSIX's additions. A FILE belongs to the host; the device
 * keeps only buffers. Any number of threads may call these functions at once;
 * the output of one call is never mixed with that of another.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_STDIO_H
#define GPUEXEC_STDIO_H

#include <stdarg.h>
#define __need_size_t
#define __need_NULL
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __FILE_defined
#define __FILE_defined
typedef struct __gpuexec_file FILE;
#endif
typedef long fpos_t;

extern FILE *const stdin;
extern FILE *const stdout;
extern FILE *const stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 4096
#define FILENAME_MAX 4096
#define FOPEN_MAX 1024
#define L_tmpnam 32
#define L_ctermid 16
#define TMP_MAX 238328
#define P_tmpdir "/tmp"
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

#define __PRINTF(format, first)                                                \
  __attribute__((__format__(__printf__, format, first)))
#define __SCANF(format, first)                                                 \
  __attribute__((__format__(__scanf__, format, first)))

#ifdef __GPUEXEC_NO_LTO__ /* defined by gpucc (plan.cpp) */
int printf(const char *__restrict, ...) __asm__("__gpuexec_printf")
    __PRINTF(1, 2);
#else
int printf(const char *__restrict, ...) __PRINTF(1, 2);
#endif
int fprintf(FILE *__restrict, const char *__restrict, ...) __PRINTF(2, 3);
int dprintf(int, const char *__restrict, ...) __PRINTF(2, 3);
int sprintf(char *__restrict, const char *__restrict, ...) __PRINTF(2, 3);
int snprintf(char *__restrict, size_t, const char *__restrict, ...)
    __PRINTF(3, 4);
int asprintf(char **__restrict, const char *__restrict, ...) __PRINTF(2, 3);
int vprintf(const char *__restrict, va_list) __PRINTF(1, 0);
int vfprintf(FILE *__restrict, const char *__restrict, va_list) __PRINTF(2, 0);
int vdprintf(int, const char *__restrict, va_list) __PRINTF(2, 0);
int vsprintf(char *__restrict, const char *__restrict, va_list) __PRINTF(2, 0);
int vsnprintf(char *__restrict, size_t, const char *__restrict, va_list)
    __PRINTF(3, 0);
int vasprintf(char **__restrict, const char *__restrict, va_list)
    __PRINTF(2, 0);

int scanf(const char *__restrict, ...) __SCANF(1, 2);
int fscanf(FILE *__restrict, const char *__restrict, ...) __SCANF(2, 3);
int sscanf(const char *__restrict, const char *__restrict, ...) __SCANF(2, 3);
int vscanf(const char *__restrict, va_list) __SCANF(1, 0);
int vfscanf(FILE *__restrict, const char *__restrict, va_list) __SCANF(2, 0);
int vsscanf(const char *__restrict, const char *__restrict, va_list)
    __SCANF(2, 0);

FILE *fopen(const char *__restrict, const char *__restrict);
FILE *freopen(const char *__restrict, const char *__restrict, FILE *__restrict);
FILE *fdopen(int, const char *);
FILE *tmpfile(void);
/* Streams in memory. As all streams they have buffers: the memory has what was
   written after fflush() or fclose(). */
FILE *fmemopen(void *__restrict, size_t, const char *__restrict);
FILE *open_memstream(char **, size_t *);
#ifdef _GNU_SOURCE
/* A stream of functions of the program's own, called for one lane at a time
   under the stream's lock. */
typedef ssize_t cookie_read_function_t(void *, char *, size_t);
typedef ssize_t cookie_write_function_t(void *, const char *, size_t);
typedef int cookie_seek_function_t(void *, off_t *, int);
typedef int cookie_close_function_t(void *);
typedef struct {
  cookie_read_function_t *read;
  cookie_write_function_t *write;
  cookie_seek_function_t *seek;
  cookie_close_function_t *close;
} cookie_io_functions_t;
FILE *fopencookie(void *, const char *, cookie_io_functions_t);
#endif
FILE *popen(const char *, const char *);
int pclose(FILE *);
int fclose(FILE *);
int fflush(FILE *);
int fileno(FILE *);
void setbuf(FILE *__restrict, char *__restrict);
void setlinebuf(FILE *);
void setbuffer(FILE *__restrict, char *__restrict, size_t);
int setvbuf(FILE *__restrict, char *__restrict, int, size_t);

size_t fread(void *__restrict, size_t, size_t, FILE *__restrict);
size_t fwrite(const void *__restrict, size_t, size_t, FILE *__restrict);
int fgetc(FILE *);
int getc(FILE *);
int getchar(void);
int ungetc(int, FILE *);
char *fgets(char *__restrict, int, FILE *__restrict);
#if !defined(__cplusplus) && !defined(_GNU_SOURCE) &&                          \
    !(defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
char *gets(char *); /* removed from C11: it writes as much as a line has */
#endif
ssize_t getline(char **__restrict, size_t *__restrict, FILE *__restrict);
ssize_t getdelim(char **__restrict, size_t *__restrict, int, FILE *__restrict);
int fputc(int, FILE *);
int putc(int, FILE *);
int putchar(int);
int fputs(const char *__restrict, FILE *__restrict);
int puts(const char *);
/* Every function locks its stream for one call, these too. flockfile() holds a
   stream for the wave that calls it: threads of <pthread.h> have one each. */
int getc_unlocked(FILE *);
int fgetc_unlocked(FILE *);
int getchar_unlocked(void);
int putc_unlocked(int, FILE *);
int fputc_unlocked(int, FILE *);
int putchar_unlocked(int);
char *fgets_unlocked(char *__restrict, int, FILE *__restrict);
int fputs_unlocked(const char *__restrict, FILE *__restrict);
size_t fread_unlocked(void *__restrict, size_t, size_t, FILE *__restrict);
size_t fwrite_unlocked(const void *__restrict, size_t, size_t,
                       FILE *__restrict);
int feof_unlocked(FILE *);
int ferror_unlocked(FILE *);
void clearerr_unlocked(FILE *);
int fflush_unlocked(FILE *);
int fileno_unlocked(FILE *);
void flockfile(FILE *);
int ftrylockfile(FILE *);
void funlockfile(FILE *);

int fseek(FILE *, long, int);
int fseeko(FILE *, off_t, int);
long ftell(FILE *);
off_t ftello(FILE *);
void rewind(FILE *);
int fgetpos(FILE *__restrict, fpos_t *__restrict);
int fsetpos(FILE *, const fpos_t *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
void perror(const char *);

int remove(const char *);
int rename(const char *, const char *);
int renameat(int, const char *, int, const char *);
char *ctermid(char *);
char *tmpnam(char *);
char *tmpnam_r(char *);
#if __MISC_VISIBLE
/* The bytes of an int; EOF may be one, see feof() and ferror(). */
int getw(FILE *);
int putw(int, FILE *);
#endif
#if __GNU_VISIBLE
#define L_cuserid 9
int fcloseall(void);   /* flushes all streams; 0, or EOF after an error */
char *cuserid(char *); /* the user's name, "" if there is none */
#endif
/* In memory that the caller frees. */
char *tempnam(const char *, const char *);

#if __SSP_FORTIFY_LEVEL > 0
#include <ssp/stdio.h>
#endif
#ifdef __cplusplus
}
#endif
#endif
