//===-- rpc/format/parse.c - A format in pieces ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/format/pieces.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// The largest number of arguments. It bounds memory, because a format may name
/// `%999999999$d`.
enum { MOST_ARGUMENTS = 4096 };

/// The size of an argument: INT 4 bytes, WIDE 8 bytes, WIDE_OR_INT 8 bytes with
/// a length modifier for 64 bits, else 4.
enum size_rule { INT, WIDE, WIDE_OR_INT };

/// A conversion: its letter in the format, and how it is printed.
static const struct conversion_row {
  char letter, conversion;
  uint8_t kind;     ///< a piece_kind
  uint8_t size;     ///< a size_rule
  bool wide_string; ///< 32-bit characters even without a length modifier
} rows[] = {
    {'d', 'd', INTEGER, WIDE_OR_INT, false},
    {'i', 'i', INTEGER, WIDE_OR_INT, false},
    {'o', 'o', INTEGER, WIDE_OR_INT, false},
    {'u', 'u', INTEGER, WIDE_OR_INT, false},
    {'x', 'x', INTEGER, WIDE_OR_INT, false},
    {'X', 'X', INTEGER, WIDE_OR_INT, false},
    {'b', 'b', INTEGER, WIDE_OR_INT, false},
    {'B', 'B', INTEGER, WIDE_OR_INT, false},
    {'f', 'f', FLOATING, WIDE, false},
    {'F', 'F', FLOATING, WIDE, false},
    {'e', 'e', FLOATING, WIDE, false},
    {'E', 'E', FLOATING, WIDE, false},
    {'g', 'g', FLOATING, WIDE, false},
    {'G', 'G', FLOATING, WIDE, false},
    {'a', 'a', FLOATING, WIDE, false},
    {'A', 'A', FLOATING, WIDE, false},
    {'c', 'c', CHARACTER, INT, false},
    {'C', 'c', CHARACTER, INT, true},
    {UTF8_CHARACTER, 'c', UTF8, INT, false},
    {'s', 's', STRING, WIDE, false},
    {'S', 's', STRING, WIDE, true},
    {UTF8_STRING, 's', STRING, WIDE, true},
    {'p', 'p', POINTER, WIDE, false},
    {'n', 'n', NOTHING, WIDE, false},
};

/// A format that is being parsed.
struct parser {
  struct format *format;
  enum packing packing;
  const char *at, *end; ///< what is left of its text
  int next;             ///< the argument of a conversion without a position
  bool has_memory;
};

/// Is the next character one of `set`? A NUL is in none.
static bool next_is(const struct parser *p, const char *set) {
  return p->at != p->end && *p->at && strchr(set, *p->at);
}

/// A number at the cursor, saturated; -1 when there is none.
static int64_t number(struct parser *p) {
  if (!next_is(p, "0123456789"))
    return -1;
  int64_t value = 0;
  for (; next_is(p, "0123456789"); ++p->at) {
    value = value * 10 + (*p->at - '0');
    if (value > INT_MAX)
      value = INT_MAX;
  }
  return value;
}

/// Reads "N$" at the cursor and returns the argument's index, N - 1. Without
/// such a text returns -1 and leaves the cursor where it is.
static int position(struct parser *p) {
  const char *const before = p->at;
  const int64_t value = number(p);
  if (value > 0 && next_is(p, "$")) {
    ++p->at;
    return (int)value - 1;
  }
  p->at = before;
  return -1;
}

/// Makes `*list` hold `count` elements. False: there is no memory.
static bool make_room(struct parser *p, void *list, size_t count, size_t *room,
                      size_t size) {
  void *all;
  memcpy(&all, list, sizeof all);
  if (count <= *room)
    return true;
  const size_t wanted = count < 2 * *room ? 2 * *room : count + 7;
  all = p->has_memory ? realloc(all, wanted * size) : NULL;
  p->has_memory = all != NULL;
  if (!all)
    return false;
  memcpy(list, &all, sizeof all);
  *room = wanted;
  return true;
}

static struct format_piece *add_piece(struct parser *p, enum piece_kind kind) {
  struct format *f = p->format;
  if (!make_room(p, &f->pieces, f->piece_count + 1, &f->piece_room,
                 sizeof *f->pieces))
    return NULL;
  struct format_piece *piece = &f->pieces[f->piece_count++];
  memset(piece, 0, sizeof *piece);
  piece->kind = kind;
  return piece;
}

/// Adds literal text. Adjacent literals become one piece.
static void add_literal(struct parser *p, const char *from, size_t size) {
  struct format *f = p->format;
  if (!size || !make_room(p, &f->text, f->text_size + size, &f->text_room, 1))
    return;
  struct format_piece *last =
      f->piece_count ? &f->pieces[f->piece_count - 1] : NULL;
  if (!last || last->kind != LITERAL) {
    last = add_piece(p, LITERAL);
    if (!last)
      return;
    last->begin = f->text_size;
  }
  memcpy(f->text + f->text_size, from, size);
  f->text_size += size;
  last->size += size;
}

/// Notes an argument's size. A format that uses an argument with two sizes is
/// not valid.
static void use(struct parser *p, int index, uint8_t size) {
  struct format *f = p->format;
  if (index < 0 || index >= MOST_ARGUMENTS) {
    f->valid = false;
    return;
  }
  const size_t count = (size_t)index + 1;
  if (count > f->argument_count) {
    if (!make_room(p, &f->arguments, count, &f->argument_room,
                   sizeof *f->arguments))
      return;
    memset(&f->arguments[f->argument_count], 0,
           (count - f->argument_count) * sizeof *f->arguments);
    f->argument_count = count;
  }
  struct format_argument *argument = &f->arguments[index];
  f->valid &= !argument->size || argument->size == size;
  argument->size = size;
}

/// Reads a `*`, perhaps with a position; returns the index of its argument.
static int star(struct parser *p) {
  ++p->at;
  int index = position(p);
  if (index < 0)
    index = p->next++;
  use(p, index, 4);
  return index;
}

static void parse_flags(struct parser *p, struct format_piece *piece) {
  for (; next_is(p, "-+ #0'I"); ++p->at)
    if (strlen(piece->flags) < sizeof piece->flags - 1 && *p->at != 'I' &&
        !strchr(piece->flags, *p->at))
      piece->flags[strlen(piece->flags)] = *p->at;
}

static void parse_width(struct parser *p, struct format_piece *piece) {
  if (next_is(p, "*")) {
    piece->width_argument = star(p);
    return;
  }
  const int64_t width = number(p);
  piece->width = width < 0 ? 0 : (int)width;
}

static void parse_precision(struct parser *p, struct format_piece *piece) {
  if (!next_is(p, "."))
    return;
  ++p->at;
  if (next_is(p, "*")) {
    piece->precision_argument = star(p);
  } else if (next_is(p, "-")) { // negative: ignored
    ++p->at;
    number(p);
  } else {
    const int64_t precision = number(p);
    piece->precision = precision < 0 ? 0 : (int)precision;
  }
}

/// Reads length modifiers. True if an integer has 8 bytes (section 3.9). %Ld is
/// %lld, as in glibc; all floating-point values have 8 bytes.
static bool parse_length(struct parser *p, struct format_piece *piece) {
  bool wide = false;
  while (next_is(p, "hljztqLw")) {
    const char modifier = *p->at++;
    if (modifier == 'h') {
      piece->length = piece->length == 'h' ? 'H' : 'h';
    } else if (modifier == 'w') { // C23: w8, w16, w32, w64, wf8 ...
      const bool fast = next_is(p, "f");
      p->at += fast;
      const int64_t bits = number(p);
      // int_fastN_t: in gpucc's C library 8 bytes if N >= 16, in LLVM's the
      // same size as intN_t.
      wide = fast && p->packing == SLOTS ? bits > 8 : bits == 64;
      piece->length = wide ? 0 : bits == 8 ? 'H' : bits == 16 ? 'h' : 0;
    } else {
      wide = true;
    }
  }
  return wide;
}

static void add_string(struct parser *p, struct format_piece *piece, bool wide,
                       bool utf8) {
  struct format *f = p->format;
  if (!make_room(p, &f->strings, f->string_count + 1, &f->string_room,
                 sizeof *f->strings))
    return;
  piece->string = f->string_count;
  f->strings[f->string_count++] = (struct string_argument){
      (unsigned)piece->argument, 0,    piece->precision_argument,
      piece->precision,          wide, utf8};
}

static const struct conversion_row *find_row(char letter) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].letter == letter)
      return &rows[i];
  return NULL;
}

void write_conversion(char (*to)[20], const char *flags, const char *stars,
                      const char *length, const char *letter) {
  const char *const parts[] = {flags, stars, length, letter};
  char *at = *to;
  *at++ = '%';
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    for (const char *part = parts[i]; *part; ++part)
      *at++ = *part;
  *at = 0;
}

static const char *length_text(const struct format_piece *piece) {
  if (piece->kind != INTEGER)
    return "";
  return piece->length == 'l'   ? "ll"
         : piece->length == 'h' ? "h"
         : piece->length == 'H' ? "hh"
                                : "";
}

/// Adds the conversion of `row` with its flags and modifiers as a piece.
/// `named`: the argument's index if the format names it, else -1.
static void add_conversion(struct parser *p, const struct conversion_row *row,
                           struct format_piece piece, int named, bool wide) {
  wide |= row->wide_string;
  piece.kind = (enum piece_kind)row->kind;
  piece.conversion = row->conversion;
  if (wide)
    piece.length = 'l';
  piece.is_plain = !piece.flags[0] && !piece.width && piece.precision < 0 &&
                   piece.width_argument < 0 && piece.precision_argument < 0 &&
                   (!piece.length || piece.length == 'l');
  const char conversion[] = {piece.conversion, 0};
  write_conversion(&piece.text, piece.flags, "*.*", length_text(&piece),
                   conversion);
  piece.argument = named >= 0 ? named : p->next++;
  use(p, piece.argument,
      row->size == WIDE || (row->size == WIDE_OR_INT && wide) ? 8 : 4);
  if (piece.kind == STRING)
    add_string(p, &piece, wide, row->letter == UTF8_STRING);
  struct format_piece *added = add_piece(p, piece.kind);
  if (added)
    *added = piece;
}

/// Parses one conversion, from its '%' on. Text that is no known conversion is
/// printed as it is; so is %m, which gpucc's C library replaces.
static void parse_conversion(struct parser *p) {
  const char *const begin = p->at++;
  struct format_piece piece = {.argument = -1,
                               .width_argument = -1,
                               .precision_argument = -1,
                               .precision = -1};
  const int named = position(p);
  parse_flags(p, &piece);
  parse_width(p, &piece);
  parse_precision(p, &piece);
  const bool wide = parse_length(p, &piece);
  const char letter = p->at == p->end ? 0 : *p->at++;
  const struct conversion_row *row = find_row(letter);
  if (row) {
    add_conversion(p, row, piece, named, wide);
  } else if (letter == '%') {
    add_literal(p, p->at - 1, 1);
  } else if (letter == ERROR_TEXT) {
    const char *text = strerror(piece.width);
    add_literal(p, text, strlen(text));
  } else {
    add_literal(p, begin, (size_t)(p->at - begin));
  }
}

static void place_arguments(struct format *f, enum packing packing) {
  for (size_t i = 0; i < f->argument_count; ++i) {
    struct format_argument *argument = &f->arguments[i];
    f->valid &= argument->size != 0;
    const uint64_t alignment = packing == SLOTS ? 8
                               : packing == PACKED || !argument->size
                                   ? 1
                                   : argument->size;
    f->block_size = (f->block_size + alignment - 1) & ~(alignment - 1);
    argument->offset = f->block_size;
    f->block_size += packing == SLOTS ? 8 : argument->size;
  }
  if (!f->valid)
    f->block_size = f->string_count = 0;
  for (size_t i = 0; i < f->string_count; ++i)
    f->strings[i].offset = f->arguments[f->strings[i].argument].offset;
}

bool parse_format(struct format *f, struct format_bytes text,
                  enum packing packing) {
  const size_t size = text.size ? strnlen(text.data, text.size) : 0;
  struct parser p = {f, packing, text.data, text.data + size, 0, true};
  memset(f, 0, sizeof *f);
  f->valid = true;
  while (p.at != p.end && f->valid && p.has_memory) {
    const char *percent = memchr(p.at, '%', (size_t)(p.end - p.at));
    const char *const until = percent ? percent : p.end;
    add_literal(&p, p.at, (size_t)(until - p.at));
    p.at = until;
    if (percent)
      parse_conversion(&p);
  }
  f->valid &= p.has_memory;
  place_arguments(f, packing);
  return p.has_memory;
}

void free_format(struct format *f) {
  free(f->pieces);
  free(f->arguments);
  free(f->strings);
  free(f->text);
}
