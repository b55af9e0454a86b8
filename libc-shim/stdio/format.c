//===-- libc-shim/stdio/format.c - Formatted output to memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See format.h. Integers, characters, strings; floating point is in
// format_float.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/stdio/format_parse.h"
#include "libc-shim/wide/utf8.h"
#include <errno.h>
#include <string.h>
#include <wchar.h>

static inline void put_at(format_sink *sink, size_t at, wchar_t c) {
  if (sink->wide)
    ((wchar_t *)sink->buffer)[at] = c;
  else
    sink->buffer[at] = (char)c;
}

FORMAT_PIECE static void put_character(format_sink *sink, wchar_t c) {
  if (sink->count < sink->capacity)
    put_at(sink, sink->count, c);
  ++sink->count;
}

void __format_put(format_sink *sink, char c) {
  put_character(sink, (unsigned char)c);
}

void __format_repeat(format_sink *sink, char c, int64_t count) {
  if (count <= 0)
    return;
  // Beyond the buffer only counts, so that %1000000000d is cheap.
  size_t room = sink->count < sink->capacity ? sink->capacity - sink->count : 0;
  size_t store = (size_t)count < room ? (size_t)count : room;
  for (size_t i = 0; i < store; ++i)
    put_at(sink, sink->count + i, c);
  sink->count += (size_t)count;
}

void __format_bytes(format_sink *sink, const char *bytes, size_t size) {
  size_t room = sink->count < sink->capacity ? sink->capacity - sink->count : 0;
  size_t store = size < room ? size : room;
  for (size_t i = 0; i < store; ++i)
    put_at(sink, sink->count + i, (unsigned char)bytes[i]);
  sink->count += size;
}

void __format_begin(format_sink *sink, const format_spec *spec,
                    const char *prefix, int64_t size, bool zeros) {
  size_t prefix_size = strlen(prefix);
  int64_t padding = spec->width - size - (int64_t)prefix_size;
  if (!spec->left && !zeros)
    __format_repeat(sink, ' ', padding);
  __format_bytes(sink, prefix, prefix_size);
  if (!spec->left && zeros)
    __format_repeat(sink, '0', padding);
}

void __format_end(format_sink *sink, const format_spec *spec,
                  const char *prefix, int64_t size) {
  if (spec->left)
    __format_repeat(sink, ' ', spec->width - size - (int64_t)strlen(prefix));
}

/// Writes a string of `size` characters, padded, without a prefix.
FORMAT_PIECE static void put_text(format_sink *sink, const format_spec *spec,
                                  const char *text, size_t size) {
  __format_begin(sink, spec, "", (int64_t)size, false);
  __format_bytes(sink, text, size);
  __format_end(sink, spec, "", (int64_t)size);
}

FORMAT_PIECE static void put_integer(format_sink *sink, const format_spec *spec,
                                     uint64_t value, bool is_signed) {
  char prefix[4] = {0};
  if (is_signed) {
    if ((int64_t)value < 0 && spec->conversion != 'p') {
      value = -value;
      prefix[0] = '-';
    } else if (spec->plus || spec->space) {
      prefix[0] = spec->plus ? '+' : ' ';
    }
  }
  char conversion = spec->conversion;
  bool capital = conversion == 'X';
  unsigned shift = 0;
  switch (conversion) {
  case 'x':
  case 'X':
  case 'p':
    shift = 4;
    break;
  case 'o':
    shift = 3;
    break;
  case 'b':
  case 'B':
    shift = 1;
    break;
  }
  bool was_zero = value == 0;
  char digits[64];
  int count = 0;
  while (value) {
    unsigned digit;
    if (shift) {
      digit = value & ((1u << shift) - 1);
      value >>= shift;
    } else {
      digit = (unsigned)(value % 10);
      value /= 10;
    }
    digits[count++] =
        (char)(digit < 10 ? '0' + digit : (capital ? 'A' : 'a') + digit - 10);
  }
  int64_t least = spec->precision < 0 ? 1 : spec->precision;
  if (spec->alternate || conversion == 'p') {
    if (conversion == 'o') {
      if (least <= count)
        least = count + 1;
      if (was_zero && spec->precision != 0)
        least = spec->precision < 1 ? 1 : spec->precision;
    } else if (shift && !was_zero) {
      size_t at = strlen(prefix); // a pointer may have a sign
      prefix[at] = '0';
      prefix[at + 1] = conversion == 'p' ? 'x' : conversion;
    }
  }
  int64_t zeros = least > count ? least - count : 0;
  int64_t size = zeros + count;
  bool pad_zero = spec->zero && spec->precision < 0;
  __format_begin(sink, spec, prefix, size, pad_zero);
  __format_repeat(sink, '0', zeros);
  while (count)
    __format_put(sink, digits[--count]);
  __format_end(sink, spec, prefix, size);
}

//===-- Conversions -------------------------------------------------------===//

static uint64_t narrow(uint64_t bits, char length, bool is_signed) {
  switch (length) {
  case 'H':
    return is_signed ? (uint64_t)(int64_t)(signed char)bits
                     : (unsigned char)bits;
  case 'h':
    return is_signed ? (uint64_t)(int64_t)(short)bits : (unsigned short)bits;
  case 0:
    return is_signed ? (uint64_t)(int64_t)(int)bits : (unsigned)bits;
  }
  return bits;
}

static void store_count(const format_sink *sink, char length, void *to) {
  switch (length) {
  case 'H':
    *(signed char *)to = (signed char)sink->count;
    break;
  case 'h':
    *(short *)to = (short)sink->count;
    break;
  case 0:
    *(int *)to = (int)sink->count;
    break;
  default:
    *(long *)to = (long)sink->count;
  }
}

static bool not_a_character(void) {
  errno = EILSEQ;
  return false;
}

/// Writes a wide string, or its first `most` characters, in UTF-8. Width and
/// precision count bytes; the output ends before a character that would exceed
/// the precision. False with errno EILSEQ for an invalid character.
FORMAT_PIECE static bool put_utf8(format_sink *sink, const format_spec *spec,
                                  const wchar_t *text, size_t most) {
  const size_t limit =
      spec->precision < 0 || spec->conversion == 'c' || spec->conversion == 'C'
          ? SIZE_MAX
          : (size_t)spec->precision;
  size_t size = 0, count = 0;
  for (; count < most && size < limit && (most != SIZE_MAX || text[count]);
       ++count) {
    const size_t length = (size_t)utf8_length((uint32_t)text[count]);
    if (!length)
      return not_a_character();
    if (size + length > limit)
      break;
    size += length;
  }
  __format_begin(sink, spec, "", (int64_t)size, false);
  for (size_t i = 0; i < count; ++i) {
    char bytes[UTF8_MOST_BYTES];
    __format_bytes(sink, bytes, (size_t)utf8_encode(bytes, (uint32_t)text[i]));
  }
  __format_end(sink, spec, "", (int64_t)size);
  return true;
}

/// Writes a multibyte string in UTF-8 to a wide sink. Width and precision count
/// wide characters. False with errno EILSEQ for invalid bytes.
FORMAT_PIECE static bool put_decoded(format_sink *sink, const format_spec *spec,
                                     const char *text) {
  const size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
  int64_t count = 0;
  // The first round counts.
  for (bool stores = false;; stores = true) {
    const char *at = text;
    for (size_t done = 0; done < limit && *at; ++done) {
      wchar_t wide;
      mbstate_t state = {0};
      const size_t used = mbrtowc(&wide, at, UTF8_MOST_BYTES, &state);
      if (used > UTF8_MOST_BYTES)
        return not_a_character();
      at += used;
      count += !stores;
      if (stores)
        put_character(sink, wide);
    }
    if (stores)
      break;
    __format_begin(sink, spec, "", count, false);
  }
  __format_end(sink, spec, "", count);
  return true;
}

/// Writes a wide string. In the C locale a character above ASCII is an error
/// (EILSEQ) unless the sink is wide.
FORMAT_PIECE static bool put_wide(format_sink *sink, const format_spec *spec,
                                  const wchar_t *text) {
  size_t size = 0;
  if (!sink->wide && locale_is_utf8())
    return put_utf8(sink, spec, text, SIZE_MAX);
  while ((spec->precision < 0 || size < (size_t)spec->precision) && text[size])
    if ((uint32_t)text[size++] > 0x7f && !sink->wide) {
      errno = EILSEQ;
      return false;
    }
  __format_begin(sink, spec, "", (int64_t)size, false);
  for (size_t i = 0; i < size; ++i)
    put_character(sink, text[i]);
  __format_end(sink, spec, "", (int64_t)size);
  return true;
}

FORMAT_PIECE static bool put_string(format_sink *sink, const format_spec *spec,
                                    const char *text) {
  if (!text) // all of "(null)" or nothing
    text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
  if (sink->wide && locale_is_utf8())
    return put_decoded(sink, spec, text);
  size_t size = spec->precision < 0 ? strlen(text)
                                    : strnlen(text, (size_t)spec->precision);
  if (sink->wide) // the C locale, whose multibyte strings are ASCII
    for (size_t i = 0; i < size; ++i)
      if ((unsigned char)text[i] > 0x7f) {
        errno = EILSEQ;
        return false;
      }
  put_text(sink, spec, text, size);
  return true;
}

static bool convert(format_sink *sink, const format_spec *spec,
                    argument value) {
  switch (spec->conversion) {
  case 'd':
  case 'i':
    put_integer(sink, spec, narrow(value.bits, spec->length, true), true);
    return true;
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    put_integer(sink, spec, narrow(value.bits, spec->length, false), false);
    return true;
  case 'c':
  case 'C':;
    const bool wide = spec->conversion == 'C' || spec->length == 'l';
    if (wide && !sink->wide && locale_is_utf8())
      return put_utf8(sink, spec, (const wchar_t[]){(wchar_t)value.bits}, 1);
    if (wide ? (uint32_t)value.bits > 0x7f && !sink->wide
             : (unsigned char)value.bits > 0x7f && sink->wide) {
      errno = EILSEQ;
      return false;
    }
    __format_begin(sink, spec, "", 1, false);
    put_character(sink, wide ? (wchar_t)value.bits : (unsigned char)value.bits);
    __format_end(sink, spec, "", 1);
    return true;
  case 's':
  case 'S':
    if ((spec->conversion == 'S' || spec->length == 'l') && value.pointer)
      return put_wide(sink, spec, value.pointer);
    return put_string(sink, spec, value.pointer);
  case 'p':
    if (value.pointer)
      put_integer(sink, spec, value.bits, spec->plus || spec->space);
    else
      put_text(sink, spec, "(nil)", 5);
    return true;
  case 'n':
    store_count(sink, spec->length, (void *)value.pointer);
    return true;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    __format_float(sink, spec, value.number);
    return true;
  }
  return true;
}

static int too_long(void) {
  errno = EOVERFLOW;
  return -1;
}

int __format(format_sink *sink, const char *format, va_list list) {
  arguments from = {.numbered = NULL};
  argument numbered[MOST_NUMBERED];
  va_copy(from.list, list);
  const int error_before = errno;
  for (const char *at = format; *at;) {
    const char *start = at;
    while (*at && *at != '%')
      ++at;
    __format_bytes(sink, start, (size_t)(at - start));
    if (!*at)
      break;
    start = at++;
    format_spec spec;
    positions places;
    if (!parse(&at, &spec, &places))
      return too_long();
    if (places.value && !from.numbered) {
      if (!read_numbered(format, &from.list, numbered)) {
        errno = EINVAL;
        return -1;
      }
      from.numbered = numbered;
    }
    if (places.star_width) {
      int width = (int)fetch(&from, places.width, INT).bits;
      if (width < 0) {
        spec.left = true;
        if (width == INT_MIN)
          return too_long();
        width = -width;
      }
      spec.width = width;
    }
    if (places.star_precision) {
      int precision = (int)fetch(&from, places.precision, INT).bits;
      spec.precision = precision < 0 ? -1 : precision;
    }
    if (spec.conversion == '%') {
      __format_put(sink, '%');
    } else if (spec.conversion == 'm') {
      put_string(sink, &spec, strerror(error_before));
    } else if (spec.conversion == FORMAT_WIDE_CHARACTER && sink->wide) {
      put_character(sink, spec.width);
    } else if (kind_of(&spec) != NONE) {
      if (!convert(sink, &spec, fetch(&from, places.value, kind_of(&spec))))
        return -1;
    } else if (!spec.conversion) {
      errno = EINVAL;
      return -1;
    } else {
      // An unknown conversion is printed as it is written.
      __format_bytes(sink, start, (size_t)(at - start));
    }
    if (sink->count > INT_MAX)
      return too_long();
  }
  va_end(from.list);
  return (int)sink->count;
}
