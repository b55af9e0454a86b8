//===-- libc-shim/wide/iconv.c - From one encoding to another -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each character is converted to its Unicode number and from that to the other
// encoding.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/wide/transliterate.h"
#include <errno.h>
#include <iconv.h>
#include <langinfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum { ASCII, LATIN1, LATIN9, UTF8, UTF16, UTF32, UCS2 } encoding;

/// A name of an encoding. `big`: big-endian. `marks`: a text begins with a byte
/// order mark.
typedef struct {
  const char *name;
  encoding code;
  bool big, marks;
} known_encoding;

static const known_encoding known[] = {
    {"ANSI_X3.4-1968", ASCII, 0, 0},
    {"ASCII", ASCII, 0, 0},
    {"US-ASCII", ASCII, 0, 0},
    {"ISO646-US", ASCII, 0, 0},
    {"646", ASCII, 0, 0},
    {"C", ASCII, 0, 0},
    {"ISO-8859-1", LATIN1, 0, 0},
    {"ISO8859-1", LATIN1, 0, 0},
    {"ISO_8859-1", LATIN1, 0, 0},
    {"LATIN1", LATIN1, 0, 0},
    {"L1", LATIN1, 0, 0},
    {"ISO-8859-15", LATIN9, 0, 0},
    {"ISO8859-15", LATIN9, 0, 0},
    {"LATIN-9", LATIN9, 0, 0},
    {"UTF-8", UTF8, 0, 0},
    {"UTF8", UTF8, 0, 0},
    {"UTF-16", UTF16, 0, 1},
    {"UTF16", UTF16, 0, 1},
    {"UTF-16LE", UTF16, 0, 0},
    {"UTF-16BE", UTF16, 1, 0},
    {"UTF-32", UTF32, 0, 1},
    {"UTF32", UTF32, 0, 1},
    {"UTF-32LE", UTF32, 0, 0},
    {"UTF-32BE", UTF32, 1, 0},
    {"UCS-2", UCS2, 0, 0},
    {"UCS-2LE", UCS2, 0, 0},
    {"UCS-2BE", UCS2, 1, 0},
    {"UCS-4", UTF32, 1, 0},
    {"UCS-4LE", UTF32, 0, 0},
    {"UCS-4BE", UTF32, 1, 0},
    {"WCHAR_T", UTF32, 0, 0},
    {"INTERNAL", UTF32, 0, 0},
};

typedef struct {
  known_encoding from, to;
  bool read_any, wrote_any; ///< a character was read, was written
  bool ignores, replaces;   ///< //IGNORE, //TRANSLIT
} conversion;

static bool find(const char *name, known_encoding *to) {
  size_t length = strcspn(name, "/");
  if (!length) { // an empty name means the locale's encoding
    name = nl_langinfo(CODESET);
    length = strlen(name);
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strlen(known[i].name) == length &&
        !strncasecmp(known[i].name, name, length)) {
      *to = known[i];
      return true;
    }
  return false;
}

iconv_t iconv_open(const char *to, const char *from) {
  conversion found = {0};
  if (!find(from, &found.from) || !find(to, &found.to)) {
    errno = EINVAL;
    return (iconv_t)-1;
  }
  found.ignores = strcasestr(to, "//IGNORE") != NULL;
  found.replaces = strcasestr(to, "TRANSLIT") != NULL;
  conversion *made = malloc(sizeof *made);
  if (!made)
    return (iconv_t)-1;
  *made = found;
  return made;
}
int iconv_close(iconv_t descriptor) {
  free(descriptor);
  return 0;
}

//===-- One character -----------------------------------------------------===//

// Results of reading or writing a character that failed; others are its length.
enum { INCOMPLETE = 0, INVALID = -1 };

static uint32_t word_at(const unsigned char *at, int bytes, bool big) {
  uint32_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= (uint32_t)at[i] << 8 * (big ? bytes - 1 - i : i);
  return value;
}

// The characters in which ISO-8859-15 differs from ISO-8859-1.
static const struct {
  unsigned char byte;
  uint16_t number;
} latin9[] = {{0xa4, 0x20ac}, {0xa6, 0x160}, {0xa8, 0x161}, {0xb4, 0x17d},
              {0xb8, 0x17e},  {0xbc, 0x152}, {0xbd, 0x153}, {0xbe, 0x178}};
enum { LATIN9_COUNT = sizeof latin9 / sizeof *latin9 };

static int read_utf8(const unsigned char *at, size_t size, uint32_t *to) {
  const unsigned first = at[0];
  if (first < 0x80) {
    *to = first;
    return 1;
  }
  const int length = first < 0xc2   ? 0
                     : first < 0xe0 ? 2
                     : first < 0xf0 ? 3
                     : first < 0xf5 ? 4
                                    : 0;
  if (!length)
    return INVALID;
  uint32_t value = first & (0x7fu >> length);
  for (int i = 1; i < length; ++i) {
    if ((size_t)i >= size)
      return INCOMPLETE;
    if ((at[i] & 0xc0) != 0x80)
      return INVALID;
    value = value << 6 | (at[i] & 0x3f);
    // The second byte shows a form that is too long, a surrogate, and a number
    // that is too large.
    if (i == 1 &&
        ((first == 0xe0 && at[1] < 0xa0) || (first == 0xed && at[1] > 0x9f) ||
         (first == 0xf0 && at[1] < 0x90) || (first == 0xf4 && at[1] > 0x8f)))
      return INVALID;
  }
  *to = value;
  return length;
}

static bool is_surrogate(uint32_t number) {
  return number >= 0xd800 && number < 0xe000;
}

/// Reads a character. Returns its length in bytes, INCOMPLETE or INVALID.
static int read_character(const known_encoding *from, const unsigned char *at,
                          size_t size, uint32_t *to) {
  switch (from->code) {
  case UTF8:
    return read_utf8(at, size, to);
  case UTF16:
  case UCS2:
    if (size < 2)
      return INCOMPLETE;
    *to = word_at(at, 2, from->big);
    if (!is_surrogate(*to))
      return 2;
    if (from->code == UCS2 || *to >= 0xdc00)
      return INVALID;
    if (size < 4)
      return INCOMPLETE;
    const uint32_t low = word_at(at + 2, 2, from->big);
    if (low < 0xdc00 || low >= 0xe000)
      return INVALID;
    *to = 0x10000 + ((*to - 0xd800) << 10) + (low - 0xdc00);
    return 4;
  case UTF32:
    if (size < 4)
      return INCOMPLETE;
    *to = word_at(at, 4, from->big);
    return *to > 0x10ffff || is_surrogate(*to) ? INVALID : 4;
  case LATIN9:
    for (int i = 0; i < LATIN9_COUNT; ++i)
      if (latin9[i].byte == at[0]) {
        *to = latin9[i].number;
        return 1;
      }
    *to = at[0];
    return 1;
  case LATIN1:
    *to = at[0];
    return 1;
  case ASCII:
    *to = at[0];
    return at[0] < 0x80 ? 1 : INVALID;
  }
  return INVALID;
}

static int put_word(unsigned char *to, int bytes, bool big, uint32_t value) {
  for (int i = 0; i < bytes; ++i)
    to[i] = (unsigned char)(value >> 8 * (big ? bytes - 1 - i : i));
  return bytes;
}

/// Writes a character to `to`, which has room for 4 bytes. Returns its length,
/// or INVALID if the encoding does not have it.
static int encode(const known_encoding *as, uint32_t c, unsigned char *to) {
  switch (as->code) {
  case UTF8:
    if (c < 0x80)
      return put_word(to, 1, 0, c);
    const int length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; --i, c >>= 6)
      to[i] = (unsigned char)(0x80 | (c & 0x3f));
    to[0] = (unsigned char)(0xf00u >> length | c);
    return length;
  case UTF16:
    if (c < 0x10000)
      return put_word(to, 2, as->big, c);
    put_word(to, 2, as->big, 0xd800 + ((c - 0x10000) >> 10));
    return 2 + put_word(to + 2, 2, as->big, 0xdc00 + (c & 0x3ff));
  case UCS2:
    return c < 0x10000 ? put_word(to, 2, as->big, c) : INVALID;
  case UTF32:
    return put_word(to, 4, as->big, c);
  case LATIN9:
    for (int i = 0; i < LATIN9_COUNT; ++i) {
      if (latin9[i].number == c)
        return put_word(to, 1, 0, latin9[i].byte);
      if (latin9[i].byte == c)
        return INVALID;
    }
    return c < 0x100 ? put_word(to, 1, 0, c) : INVALID;
  case LATIN1:
    return c < 0x100 ? put_word(to, 1, 0, c) : INVALID;
  case ASCII:
    return c < 0x80 ? put_word(to, 1, 0, c) : INVALID;
  }
  return INVALID;
}

/// Writes the ASCII text that replaces the character. Returns its length in
/// bytes.
static int encode_replacement(const known_encoding *as, uint32_t c,
                              unsigned char to[4 * TRANSLITERATION_MOST]) {
  char text[TRANSLITERATION_MOST + 1];
  int length = 0;
  __transliterate(c, locale_is_utf8(), text);
  for (const char *at = text; *at; ++at)
    length += encode(as, (unsigned char)*at, to + length);
  return length;
}

//===-- Texts -------------------------------------------------------------===//

/// Appends `length` bytes; false when there is no room.
static bool append(const unsigned char *bytes, int length, char **to,
                   size_t *room) {
  if (*room < (size_t)length)
    return false;
  memcpy(*to, bytes, (size_t)length);
  *to += length;
  *room -= (size_t)length;
  return true;
}

/// Appends a byte order mark before the first character, if the encoding has
/// one. False when there is no room.
static bool append_mark(conversion *c, char **to, size_t *room) {
  unsigned char mark[4];
  if (c->to.marks && !c->wrote_any &&
      !append(mark, encode(&c->to, 0xfeff, mark), to, room))
    return false;
  c->wrote_any = true;
  return true;
}

/// True if `number`, the first character of the input, is a byte order mark.
/// Then also sets the byte order.
static bool take_mark(conversion *c, uint32_t number) {
  const bool first = !c->read_any;
  c->read_any = true;
  if (!first || !c->from.marks)
    return false;
  const bool turned =
      c->from.code == UTF16 ? number == 0xfffe : number == 0xfffe0000;
  c->from.big ^= turned;
  return turned || number == 0xfeff;
}

size_t iconv(iconv_t descriptor, char **restrict from, size_t *restrict left,
             char **restrict to, size_t *restrict room) {
  conversion *c = descriptor;
  if (!from || !*from) {
    c->read_any = c->wrote_any = false;
    return 0;
  }
  size_t replaced = 0;
  bool ignored = false;
  while (*left) {
    const unsigned char *at = (const unsigned char *)*from;
    uint32_t number = 0;
    int length = read_character(&c->from, at, *left, &number);
    if (!c->read_any && c->from.marks && c->from.code == UTF32 && *left >= 4) {
      number = word_at(at, 4, c->from.big); // 0xfffe0000 is no character
      length = number == 0xfffe0000 ? 4 : length;
    }
    if (length == INCOMPLETE) {
      errno = EINVAL;
      return (size_t)-1;
    }
    if (length == INVALID && !c->ignores) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (length == INVALID || take_mark(c, number)) {
      ignored |= length == INVALID;
      length = length == INVALID ? 1 : length;
      *from += length;
      *left -= (size_t)length;
      continue;
    }
    unsigned char bytes[4 * TRANSLITERATION_MOST];
    int written = encode(&c->to, number, bytes);
    const bool replaces = written == INVALID && c->replaces;
    if (replaces)
      written = encode_replacement(&c->to, number, bytes);
    if (written == INVALID && !c->ignores) {
      errno = EILSEQ;
      return (size_t)-1;
    }
    if (written == INVALID) {
      ignored = true;
    } else if (!append_mark(c, to, room) || !append(bytes, written, to, room)) {
      errno = E2BIG;
      return (size_t)-1;
    }
    replaced += replaces;
    *from += length;
    *left -= (size_t)length;
  }
  if (ignored) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  return replaced;
}
