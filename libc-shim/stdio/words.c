//===-- libc-shim/stdio/words.c - getw(), putw() and fcloseall() ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <stdio.h>

int getw(FILE *stream) {
  int word;
  return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
int putw(int word, FILE *stream) {
  return fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF;
}
// As in glibc, the streams can be used afterwards.
int fcloseall(void) { return fflush(NULL); }
