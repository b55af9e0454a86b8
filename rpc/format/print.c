//===-- rpc/format/print.c - printf with the device's arguments -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/format/pieces.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t argument_value(const struct format *f, int index,
                        struct format_bytes block) {
  const struct format_argument *argument = &f->arguments[index];
  uint64_t value = 0;
  if (argument->offset + argument->size <= block.size)
    memcpy(&value, block.data + argument->offset, argument->size);
  return value;
}

//===-- Output ------------------------------------------------------------===//

static int reserve_text(struct format_output *out, size_t more) {
  return more <= out->room - out->size || out->grow(out, more) ? 0 : ENOMEM;
}

static int append_text(struct format_output *out, const char *text,
                       size_t size) {
  if (reserve_text(out, size))
    return ENOMEM;
  if (size)
    memcpy(out->data + out->size, text, size);
  out->size += size;
  return 0;
}

static void append_spaces(struct format_output *out, size_t count) {
  if (count)
    memset(out->data + out->size, ' ', count);
  out->size += count;
}

//===-- Conversions -------------------------------------------------------===//

/// A conversion with its value, width and precision; those of a `*` are read.
struct conversion {
  const struct format_piece *piece;
  int width, precision; ///< none: 0 and -1. A negative width aligns left
  uint64_t bits;
};

/// Appends a text with spaces up to the width.
static int pad_text(const struct conversion *c, struct format_output *out,
                    const char *text, size_t size) {
  const bool left = strchr(c->piece->flags, '-') || c->width < 0;
  const size_t wanted = (size_t)abs(c->width),
               padding = wanted > size ? wanted - size : 0;
  if (size + padding > MOST_TEXT)
    return EOVERFLOW;
  if (reserve_text(out, size + padding))
    return ENOMEM;
  append_spaces(out, left ? 0 : padding);
  append_text(out, text, size);
  append_spaces(out, left ? padding : 0);
  return 0;
}

static int print_utf8(const struct conversion *c, struct format_output *out) {
  char bytes[4];
  const size_t length = put_utf8(bytes, (uint32_t)c->bits);
  return length ? pad_text(c, out, bytes, length) : EILSEQ;
}

/// Prints a text, cut to the precision and padded to the width.
static int print_cut(const struct conversion *c, struct format_output *out,
                     const char *text, size_t size) {
  if (c->precision >= 0 && (size_t)c->precision < size)
    size = (size_t)c->precision;
  return pad_text(c, out, text, size);
}

static int print_string(const struct conversion *c, struct format_output *out,
                        struct format_bytes text, bool llvm_style) {
  if (c->bits)
    return print_cut(c, out, text.data,
                     text.size ? strnlen(text.data, text.size) : 0);
  // glibc prints all of "(null)" or nothing.
  const bool is_short = !llvm_style && c->precision >= 0 && c->precision < 6;
  return print_cut(c, out, "(null)", is_short ? 0 : 6);
}

/// Calls snprintf() with the conversion `text`, whose width and precision are
/// `*`: it ignores width 0 and precision -1.
static int print_once(const struct conversion *c, const char *text, char *to,
                      size_t size) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  if (c->piece->kind == FLOATING) {
    double number;
    memcpy(&number, &c->bits, sizeof number);
    return snprintf(to, size, text, c->width, c->precision, number);
  }
  if (c->piece->kind == POINTER ||
      (c->piece->kind == INTEGER && c->piece->length == 'l'))
    return snprintf(to, size, text, c->width, c->precision,
                    (unsigned long long)c->bits);
  return snprintf(to, size, text, c->width, c->precision, (int)c->bits);
#pragma clang diagnostic pop
}

static int print_by_library(const struct conversion *c,
                            struct format_output *out, const char *text) {
  char small[128];
  const int needed = print_once(c, text, small, sizeof small);
  if (needed < 0)
    return errno ? errno : EINVAL;
  const size_t size = (size_t)needed;
  if (size < sizeof small)
    return append_text(out, small, size);
  if (reserve_text(out, size + 1))
    return ENOMEM;
  print_once(c, text, out->data + out->size, size + 1);
  out->size += size;
  return 0;
}

/// Prints a plain integer or character without snprintf(), which is slower.
/// Returns the size of the text, which ends at `end`; 0: use snprintf().
static size_t print_plain(const struct conversion *c, char *end) {
  const bool is_signed =
      c->piece->conversion == 'd' || c->piece->conversion == 'i';
  uint64_t bits = c->bits;
  char *at = end;
  if (c->piece->kind == CHARACTER) {
    *--at = (char)bits;
    return 1;
  }
  if (c->piece->kind != INTEGER)
    return 0;
  if (c->piece->conversion == 'x') {
    do
      *--at = "0123456789abcdef"[bits & 15];
    while (bits >>= 4);
    return (size_t)(end - at);
  }
  if (!is_signed && c->piece->conversion != 'u')
    return 0;
  if (is_signed && c->piece->length != 'l')
    bits = (uint64_t)(int64_t)(int32_t)bits;
  const bool is_negative = is_signed && (int64_t)bits < 0;
  if (is_negative)
    bits = 0 - bits;
  do
    *--at = (char)('0' + bits % 10);
  while (bits /= 10);
  if (is_negative)
    *--at = '-';
  return (size_t)(end - at);
}

/// Prints one conversion. `text`: the bytes of a string whose address is not
/// null.
static int convert(const struct format *f, const struct format_piece *piece,
                   struct format_output *out, struct format_bytes block,
                   struct format_bytes text, bool llvm_style) {
  struct conversion c = {piece, piece->width, piece->precision,
                         argument_value(f, piece->argument, block)};
  if (piece->width_argument >= 0)
    c.width = (int)argument_value(f, piece->width_argument, block);
  if (piece->precision_argument >= 0)
    c.precision = (int)argument_value(f, piece->precision_argument, block);
  if (c.precision < 0)
    c.precision = -1;
  if (c.width > MOST_WIDTH || c.width < -MOST_WIDTH ||
      (c.precision > MOST_WIDTH && piece->kind != STRING)) // it only cuts these
    return EOVERFLOW;
  // In the C locale only the characters of ASCII are wide characters.
  if (piece->kind == CHARACTER && piece->length == 'l' &&
      (uint32_t)c.bits > 0x7f)
    return EILSEQ;
  if (piece->is_plain) {
    char digits[24];
    const size_t size = print_plain(&c, digits + sizeof digits);
    if (size)
      return append_text(out, digits + sizeof digits - size, size);
  }
  switch (piece->kind) {
  case UTF8:
    return print_utf8(&c, out);
  case STRING:
    return print_string(&c, out, text, llvm_style);
  case NOTHING: // %n: the count is not written to the program's memory
    return 0;
  case POINTER:
    if (llvm_style && !c.bits)
      return print_cut(&c, out, "(nullptr)", 9);
    if (llvm_style) {
      char pointer[sizeof piece->text];
      write_conversion(&pointer, piece->flags, "#*.*", "t", "x");
      return print_by_library(&c, out, pointer);
    }
    return print_by_library(&c, out, piece->text);
  default:
    return print_by_library(&c, out, piece->text);
  }
}

int print_format(const struct format *f, struct format_output *out,
                 struct format_bytes block, const struct format_bytes *copies,
                 size_t copy_count, bool llvm_style) {
  const size_t begin = out->size;
  if (!f->valid)
    return EINVAL;
  for (size_t i = 0; i < f->piece_count; ++i) {
    const struct format_piece *piece = &f->pieces[i];
    struct format_bytes text = {0};
    if (piece->kind == STRING && piece->string < copy_count)
      text = copies[piece->string];
    const int error =
        piece->kind == LITERAL
            ? append_text(out, f->text + piece->begin, piece->size)
            : convert(f, piece, out, block, text, llvm_style);
    if (error || out->size - begin > MOST_TEXT)
      return error ? error : EOVERFLOW;
  }
  return 0;
}
