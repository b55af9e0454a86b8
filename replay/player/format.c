//===-- replay/player/format.c - printf of device arguments ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/format.h"
#include "replay/core/utf8.h"
#include "replay/player/process.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 4096 }; // a format may name `%999999999$d`
enum { MOST_TEXT = 64 << 20, MOST_WIDTH = 1 << 20 };
/// The letter of a conversion that our own client makes of %m.
enum { ERROR_TEXT = 5 };
/// The letters that it makes of %ls and %lc where its locale has UTF-8.
enum { UTF8_STRING = 6, UTF8_CHARACTER = 7 };

/// What is left of the format's text.
struct cursor {
  const char *at, *end;
};

/// `set` and so on are not empty: a NUL is none of their characters.
static bool one_of(char character, const char *set) {
  return character && strchr(set, character);
}
static bool next_is(const struct cursor *c, const char *set) {
  return c->at != c->end && one_of(*c->at, set);
}

/// A number at the cursor, saturated; -1 when there is none.
static int64_t number(struct cursor *c) {
  if (!next_is(c, "0123456789"))
    return -1;
  int64_t value = 0;
  for (; next_is(c, "0123456789"); ++c->at) {
    value = value * 10 + (*c->at - '0');
    if (value > INT_MAX)
      value = INT_MAX;
  }
  return value;
}

/// The argument that "N$" at the cursor names, N - 1; -1 and nothing read when
/// there is no such text.
static int position(struct cursor *c) {
  const char *const before = c->at;
  const int64_t value = number(c);
  if (value > 0 && next_is(c, "$")) {
    ++c->at;
    return (int)value - 1;
  }
  c->at = before;
  return -1;
}

static void *more(void *list, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return list;
  *room = *room ? 2 * *room : 8;
  list = realloc(list, *room * size);
  if (!list)
    fail(STATUS_FAILED, "out of memory");
  return list;
}

static struct piece *add_piece(struct format *f) {
  f->pieces =
      more(f->pieces, f->piece_count, &f->piece_room, sizeof *f->pieces);
  struct piece *piece = &f->pieces[f->piece_count++];
  *piece = (struct piece){.argument = -1,
                          .width_argument = -1,
                          .precision_argument = -1,
                          .width = -1,
                          .precision = -1,
                          .string = -1};
  piece->flags[0] = '%';
  return piece;
}

static void add_literal(struct format *f, const char *from, const char *to) {
  if (from != to)
    add_piece(f)->literal =
        (struct bytes){(const uint8_t *)from, (size_t)(to - from)};
}

/// The same argument used twice must have one size.
static bool use(struct format *f, int index, uint8_t size) {
  if (index < 0 || index >= MOST_ARGUMENTS)
    return false;
  if ((size_t)index >= f->argument_count)
    f->argument_count = (size_t)index + 1;
  struct argument *argument = &f->arguments[index];
  if (argument->size && argument->size != size)
    return false;
  argument->size = size;
  return true;
}

static int star(struct format *f, struct cursor *c, int *next) {
  ++c->at;
  int index = position(c);
  if (index < 0)
    index = (*next)++;
  f->valid &= use(f, index, 4);
  return index;
}

static void parse_flags(struct format *f, struct cursor *c, struct piece *piece,
                        int *next) {
  for (; next_is(c, "-+ #0'I"); ++c->at)
    if (strlen(piece->flags) < sizeof piece->flags - 1 && *c->at != 'I' &&
        !strchr(piece->flags, *c->at))
      piece->flags[strlen(piece->flags)] = *c->at;
  if (next_is(c, "*"))
    piece->width_argument = star(f, c, next);
  else
    piece->width = (int)number(c);
  if (!next_is(c, "."))
    return;
  ++c->at;
  if (next_is(c, "*")) {
    piece->precision_argument = star(f, c, next);
  } else if (next_is(c, "-")) { // negative: as if there were none
    ++c->at;
    number(c);
  } else {
    const int64_t precision = number(c);
    piece->precision = precision < 0 ? 0 : (int)precision;
  }
}

/// Length modifiers: what counts is 8 bytes or not, section 3.9.
static bool parse_length(struct cursor *c, struct piece *piece,
                         enum packing packing) {
  bool wide = false;
  while (next_is(c, "hljztqLw")) {
    const char modifier = *c->at++;
    if (modifier == 'h') {
      piece->length = piece->length == 'h' ? 'H' : 'h';
    } else if (modifier == 'w') { // C23: w8, w16, w32, w64, wf8 ...
      const bool fast = next_is(c, "f");
      c->at += fast;
      const int64_t bits = number(c);
      // Fast types: in our client's C library 8 bytes from 16 bits on.
      wide = fast && packing == SLOTS ? bits > 8 : bits == 64;
      piece->length = wide ? 0 : bits == 8 ? 'H' : bits == 16 ? 'h' : 0;
    } else {
      wide = true;
    }
  }
  return wide;
}

/// The conversion behind flags and modifiers. False: it is none.
static bool parse_conversion(struct format *f, struct piece *piece,
                             char conversion, bool wide, int named, int *next) {
  uint8_t size = 8;
  const bool utf8 = conversion == UTF8_STRING;
  if (one_of(conversion, "diouxXbB")) {
    size = wide ? 8 : 4;
    piece->length = wide ? 'l' : piece->length;
  } else if (one_of(conversion, "cC")) { // C: as %lc
    size = 4;
    piece->length = wide || conversion == 'C' ? 'l' : piece->length;
    conversion = 'c';
  } else if (conversion == UTF8_CHARACTER) {
    size = 4;
    piece->length = 'u';
    conversion = 'c';
  } else if (conversion == 'S' || utf8) { // as %ls
    wide = true;
    conversion = 's';
  } else if (!one_of(conversion, "fFeEgGaAspn")) {
    return false;
  }
  piece->conversion = conversion;
  piece->argument = named >= 0 ? named : (*next)++;
  f->valid &= use(f, piece->argument, size);
  if (conversion == 's') {
    piece->string = (int)f->string_count;
    f->strings =
        more(f->strings, f->string_count, &f->string_room, sizeof *f->strings);
    f->strings[f->string_count++] = (struct string_argument){
        (unsigned)piece->argument, 0,    piece->precision_argument,
        piece->precision,          wide, utf8};
  }
  return true;
}

/// One conversion, from its '%' on.
static void parse_piece(struct format *f, struct cursor *c,
                        enum packing packing, int *next) {
  const char *const begin = c->at++;
  const size_t index = f->piece_count;
  struct piece *piece = add_piece(f);
  const int named = position(c);
  parse_flags(f, c, piece, next);
  const bool wide = parse_length(c, piece, packing);
  if (c->at == c->end) { // the format ends within a conversion
    f->piece_count = index;
    return add_literal(f, begin, c->at);
  }
  const char conversion = *c->at++;
  if (conversion == ERROR_TEXT) {
    const char *text = strerror(piece->width < 0 ? 0 : piece->width);
    f->piece_count = index;
    text = strdup(text); // strerror's buffer may change: a copy that stays
    return add_literal(f, text, text + strlen(text));
  }
  if (conversion == '%' ||
      !parse_conversion(f, piece, conversion, wide, named, next)) {
    f->piece_count = index;
    add_literal(f, conversion == '%' ? c->at - 1 : begin, c->at);
  }
}

static void place_arguments(struct format *f, enum packing packing) {
  for (size_t i = 0; i < f->argument_count; ++i) {
    struct argument *argument = &f->arguments[i];
    f->valid &= argument->size != 0;
    const uint64_t alignment = packing == SLOTS ? 8
                               : packing == PACKED || !argument->size
                                   ? 1
                                   : argument->size;
    f->block_size = (f->block_size + alignment - 1) / alignment * alignment;
    argument->offset = f->block_size;
    f->block_size += packing == SLOTS ? 8 : argument->size;
  }
  if (!f->valid)
    f->block_size = f->string_count = 0;
  for (size_t i = 0; i < f->string_count; ++i)
    f->strings[i].offset = f->arguments[f->strings[i].argument].offset;
}

void parse_format(struct format *f, struct bytes text, enum packing packing) {
  struct cursor c = {(const char *)text.data, (const char *)text.data};
  if (text.size)
    c.end += strnlen(c.at, text.size);
  memset(f, 0, sizeof *f);
  f->valid = true;
  f->arguments = calloc(MOST_ARGUMENTS, sizeof *f->arguments);
  if (!f->arguments)
    fail(STATUS_FAILED, "out of memory");
  for (int next = 0; c.at != c.end && f->valid;) {
    const char *percent = memchr(c.at, '%', (size_t)(c.end - c.at));
    add_literal(f, c.at, percent ? percent : c.end);
    c.at = percent ? percent : c.end;
    if (percent)
      parse_piece(f, &c, packing, &next);
  }
  place_arguments(f, packing);
}

void free_format(struct format *f) {
  free(f->pieces);
  free(f->arguments);
  free(f->strings);
}

//===-- Printing ----------------------------------------------------------===//

static uint64_t value_of(const struct format *f, int index,
                         struct bytes block) {
  const struct argument *argument = &f->arguments[index];
  uint64_t value = 0;
  if (in_range(argument->offset, argument->size, block.size))
    memcpy(&value, block.data + argument->offset, argument->size);
  return value;
}

uint64_t string_address(const struct format *f,
                        const struct string_argument *string,
                        struct bytes block) {
  return value_of(f, (int)string->argument, block);
}

uint64_t string_precision(const struct format *f,
                          const struct string_argument *string,
                          struct bytes block) {
  const int64_t precision =
      string->precision_argument >= 0
          ? (int32_t)value_of(f, string->precision_argument, block)
          : string->precision;
  return precision < 0 ? UINT64_MAX : (uint64_t)precision;
}

/// A conversion with what its stars have said.
struct conversion {
  const struct piece *piece;
  bool has_width;
  int width, precision; ///< -1: no precision
  uint64_t bits;
};

static void pad(struct buffer *out, uint64_t count) {
  memset(reserve(out, count), ' ', count);
  out->size += count;
}

/// Appends a text with spaces up to the conversion's width.
static int pad_text(const struct conversion *c, struct buffer *out,
                    struct bytes text) {
  const bool left =
      strchr(c->piece->flags, '-') || (c->has_width && c->width < 0);
  const uint64_t wanted = c->has_width ? (uint64_t)llabs(c->width) : 0;
  const uint64_t padding = wanted > text.size ? wanted - text.size : 0;
  if (text.size + padding > MOST_TEXT)
    return EOVERFLOW;
  if (!left)
    pad(out, padding);
  append(out, text.data, text.size);
  if (left)
    pad(out, padding);
  return 0;
}

static int print_character(const struct conversion *c, struct buffer *out) {
  uint8_t bytes[4];
  const size_t length = put_utf8(bytes, (uint32_t)c->bits);
  return length ? pad_text(c, out, (struct bytes){bytes, length}) : EILSEQ;
}

static int print_string(const struct conversion *c, struct buffer *out,
                        const struct bytes *copies, bool llvm_style) {
  const bool is_string = c->piece->conversion == 's';
  const char *null = is_string ? "(null)" : "(nullptr)";
  struct bytes text = {(const uint8_t *)null, strlen(null)};
  if (c->bits) {
    text = copies[c->piece->string];
    text.size = text.size ? strnlen((const char *)text.data, text.size) : 0;
  } else if (!llvm_style && c->precision >= 0 && c->precision < 6) {
    text.size = 0; // as glibc does
  }
  if (c->precision >= 0 && (size_t)c->precision < text.size)
    text.size = (size_t)c->precision;
  return pad_text(c, out, text);
}

/// snprintf with the conversion's width and precision, of a value that comes
/// behind them.
#define PRINT(SIZE, TO, VALUE)                                                 \
  (c->has_width && c->precision >= 0                                           \
       ? snprintf(TO, SIZE, text, c->width, c->precision, VALUE)               \
   : c->has_width      ? snprintf(TO, SIZE, text, c->width, VALUE)             \
   : c->precision >= 0 ? snprintf(TO, SIZE, text, c->precision, VALUE)         \
                       : snprintf(TO, SIZE, text, VALUE))

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
/// `text`: the conversion with stars.
static int print_once(const struct conversion *c, const char *text, char *to,
                      size_t size, bool llvm_pointer) {
  const struct piece *piece = c->piece;
  if (llvm_pointer || piece->length == 'l')
    return piece->conversion == 'c'
               ? PRINT(size, to, (int)c->bits)
               : PRINT(size, to, (unsigned long long)c->bits);
  if (piece->conversion == 'p')
    return PRINT(size, to, (void *)c->bits);
  if (one_of(piece->conversion, "fFeEgGaA")) {
    double number;
    memcpy(&number, &c->bits, sizeof number);
    return PRINT(size, to, number);
  }
  return PRINT(size, to, (int)c->bits);
}
#pragma clang diagnostic pop

static int convert(const struct format *f, const struct piece *piece,
                   struct buffer *out, struct bytes block,
                   const struct bytes *copies, bool llvm_style) {
  struct conversion c = {piece, piece->width_argument >= 0 || piece->width >= 0,
                         piece->width, piece->precision, 0};
  if (piece->width_argument >= 0)
    c.width = (int)value_of(f, piece->width_argument, block);
  if (piece->precision_argument >= 0)
    c.precision = (int)value_of(f, piece->precision_argument, block);
  if (c.precision < 0)
    c.precision = -1;
  const bool is_string = piece->conversion == 's'; // its precision only cuts
  if ((c.has_width && llabs(c.width) > MOST_WIDTH) ||
      (c.precision > MOST_WIDTH && !is_string))
    return EOVERFLOW;
  c.bits = value_of(f, piece->argument, block);
  if (piece->conversion == 'c' && piece->length == 'u')
    return print_character(&c, out);
  // In the C locale only those of ASCII are wide characters.
  if (piece->conversion == 'c' && piece->length == 'l' &&
      (uint32_t)c.bits > 0x7f)
    return EILSEQ;
  const bool llvm_pointer = piece->conversion == 'p' && llvm_style;
  if (is_string || (llvm_pointer && !c.bits))
    return print_string(&c, out, copies, llvm_style);
  if (piece->conversion == 'n') // consumed, nothing is written back
    return 0;
  char text[24];
  const char *length =
      piece->conversion == 'c' || !one_of(piece->conversion, "diouxXbB") ? ""
      : piece->length == 'l'                                             ? "ll"
      : piece->length == 'h'                                             ? "h"
      : piece->length == 'H'                                             ? "hh"
                                                                         : "";
  const char conversion[] = {piece->conversion, 0};
  snprintf(text, sizeof text, "%s%s%s%s%s%s", piece->flags,
           llvm_pointer ? "#" : "", c.has_width ? "*" : "",
           c.precision >= 0 ? ".*" : "", length,
           llvm_pointer ? "llx" : conversion);
  char small[128];
  const int needed = print_once(&c, text, small, sizeof small, llvm_pointer);
  if (needed < 0)
    return errno ? errno : EINVAL;
  if ((size_t)needed < sizeof small) {
    append(out, small, (size_t)needed);
    return 0;
  }
  print_once(&c, text, (char *)reserve(out, (size_t)needed + 1),
             (size_t)needed + 1, llvm_pointer);
  out->size += (size_t)needed;
  return 0;
}

int print_format(const struct format *f, struct buffer *out, struct bytes block,
                 const struct bytes *copies, bool llvm_style) {
  if (!f->valid)
    return EINVAL;
  const size_t begin = out->size;
  for (size_t i = 0; i < f->piece_count; ++i) {
    const struct piece *piece = &f->pieces[i];
    int error = 0;
    if (!piece->conversion)
      append(out, piece->literal.data, piece->literal.size);
    else
      error = convert(f, piece, out, block, copies, llvm_style);
    if (error || out->size - begin > MOST_TEXT)
      return error ? error : EOVERFLOW;
  }
  return 0;
}
