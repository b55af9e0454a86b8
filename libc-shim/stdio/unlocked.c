//===-- libc-shim/stdio/unlocked.c - Functions without locks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of stdio locks its stream by itself, for the one call. So the
// functions without locks are the same as those with.
//===----------------------------------------------------------------------===//
#include <stdio.h>

int getc_unlocked(FILE *stream) { return getc(stream); }
int fgetc_unlocked(FILE *stream) { return getc(stream); }
int getchar_unlocked(void) { return getchar(); }
int putc_unlocked(int c, FILE *stream) { return putc(c, stream); }
int fputc_unlocked(int c, FILE *stream) { return putc(c, stream); }
int putchar_unlocked(int c) { return putchar(c); }
char *fgets_unlocked(char *restrict to, int size, FILE *restrict stream) {
  return fgets(to, size, stream);
}
int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
  return fputs(text, stream);
}
size_t fread_unlocked(void *restrict to, size_t size, size_t count,
                      FILE *restrict stream) {
  return fread(to, size, count, stream);
}
size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count,
                       FILE *restrict stream) {
  return fwrite(from, size, count, stream);
}
int feof_unlocked(FILE *stream) { return feof(stream); }
int ferror_unlocked(FILE *stream) { return ferror(stream); }
void clearerr_unlocked(FILE *stream) { clearerr(stream); }
int fflush_unlocked(FILE *stream) { return fflush(stream); }
int fileno_unlocked(FILE *stream) { return fileno(stream); }
