//===-- libc-shim/argp/page.c - Text that is broken into lines ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See page.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/argp/page.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void blanks(page *p, size_t count) {
  for (; count; --count)
    fputc(' ', p->out);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The place where a line that does not fit is broken.
typedef struct {
  const char *end;  ///< of this line
  const char *next; ///< the first character of the next one
} line_break;

/// Breaks [text, end), which is too long from the page's column on: at the last
/// blank that leaves the line short enough, else behind the first word.
static line_break find_break(const page *p, const char *text, const char *end) {
  const size_t room = p->column < PAGE_WIDTH ? PAGE_WIDTH - p->column : 0;
  const char *at = text + room < end ? text + room : end - 1;
  while (at >= text && !is_blank(*at))
    --at;
  line_break result;
  if (at >= text) {
    result.next = at + 1;
    while (at > text && is_blank(at[-1]))
      --at;
    result.end = at;
    return result;
  }
  for (at = text; at < end && !is_blank(*at);)
    ++at;
  result.end = at;
  while (at < end && is_blank(*at))
    ++at;
  result.next = at;
  return result;
}

void __page_update(page *p) {
  const char *text = p->text, *all = p->text + p->used;
  while (text < all) {
    if (!p->column && p->left) {
      blanks(p, p->left);
      p->column = p->left;
    }
    const char *newline = memchr(text, '\n', (size_t)(all - text));
    const char *end = newline ? newline : all;
    const size_t length = (size_t)(end - text);
    line_break at = {end, end};
    if (p->column + length >= PAGE_WIDTH)
      at = find_break(p, text, end);
    fwrite(text, 1, (size_t)(at.end - text), p->out);
    if (at.next < end) {
      fputc('\n', p->out);
      blanks(p, p->wrap);
      p->column = p->wrap;
      text = at.next;
    } else if (newline) {
      fputc('\n', p->out);
      p->column = 0;
      text = newline + 1;
    } else {
      p->column += length;
      text = all;
    }
  }
  p->used = 0;
}

void __page_end(page *p) {
  __page_update(p);
  free(p->text);
}

void __page_write(page *p, const char *text, size_t size) {
  if (p->used + size > p->size) {
    const size_t more = 2 * (p->used + size) + 128;
    char *larger = realloc(p->text, more);
    if (!larger)
      return;
    p->text = larger;
    p->size = more;
  }
  memcpy(p->text + p->used, text, size);
  p->used += size;
}
void __page_put(page *p, const char *text) {
  __page_write(p, text, strlen(text));
}
void __page_print(page *p, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text;
  const int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0)
    return;
  __page_write(p, text, (size_t)length);
  free(text);
}

void __page_margins(page *p, size_t left, size_t wrap) {
  __page_update(p);
  p->left = left;
  p->wrap = wrap;
}
size_t __page_column(page *p) {
  __page_update(p);
  return p->column;
}
void __page_indent(page *p, size_t column) {
  for (size_t at = __page_column(p); at < column; ++at)
    __page_write(p, " ", 1);
}
void __page_blank_or_line(page *p, size_t size) {
  __page_write(p, __page_column(p) + size >= PAGE_WIDTH ? "\n" : " ", 1);
}
