//===-- libc-shim/argp/page.h - Text that is broken into lines ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// argp's help is written to a page. It collects text, and breaks it into lines
// at blanks when the margins change or the column is asked for.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ARGP_PAGE_H
#define GPUEXEC_LIBC_ARGP_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  FILE *out;
  char *text; ///< collected: [text, text + used); `size` bytes of malloc
  size_t used, size;
  size_t column; ///< column behind the text written
  size_t left;   ///< margin of a line behind a '\n'
  size_t wrap;   ///< margin of a line behind a break
} page;

enum { PAGE_WIDTH = 79 };

/// Breaks and writes the collected text.
void __page_update(page *);
/// Writes the collected text and frees its memory, not the page.
void __page_end(page *);

void __page_write(page *, const char *text, size_t size);
void __page_put(page *, const char *text);
__attribute__((format(printf, 2, 3))) void
__page_print(page *, const char *format, ...);

/// Sets both margins for the text that follows.
void __page_margins(page *, size_t left, size_t wrap);
/// Adds blanks up to a column.
void __page_indent(page *, size_t column);
size_t __page_column(page *);
/// Adds a blank, or a '\n' if the next `size` characters do not fit the line.
void __page_blank_or_line(page *, size_t size);

#endif
