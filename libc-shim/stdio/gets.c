//===-- libc-shim/stdio/gets.c - Lines of standard input ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C99's gets(). It knows no size: any line that is longer than the array
// overwrites what lies behind it.
//===----------------------------------------------------------------------===//
#include <stdio.h>

char *gets(char *line) {
  char *end = line;
  int c;
  while ((c = getchar()) != EOF && c != '\n')
    *end++ = (char)c;
  if (ferror(stdin) || (c == EOF && end == line))
    return NULL;
  *end = 0;
  return line;
}
