//===-- libc-shim/stdio/printf_host.c - printf, formatted by the host -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends the format string and the variable arguments to the host unchanged, in
// their slots of 8 bytes. The host asks for the strings that they point to.
// Servers other than gpuexec's expect the arguments in the layout of LLVM's C
// library (spec section 3.9): packed on AMD, each aligned to its size on
// NVIDIA.
//===----------------------------------------------------------------------===//
#include "libc-shim/abi/for_pass.h"
#include "libc-shim/locale/state.h"
#include "libc-shim/stdio/quick.h"
#include "libc-shim/stdio/record.h"
#include "libc-shim/stdio/stream_lock.h"
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __AMDGPU__
#define FORM(name) RPC_PRINTF_TO_##name##_PACKED
#else
#define FORM(name) RPC_PRINTF_TO_##name
#endif
enum { SLOT = 8 };

/// The bytes of a string to send: up to and including its null, but at most
/// `most` characters. 0 for a null pointer.
static __attribute__((noinline)) uint64_t
string_size(const void *text, uint64_t most, bool wide) {
  uint64_t size = 0;
  if (!text)
    return 0;
  if (!wide && most == UINT64_MAX)
    return strlen(text) + 1;
  while (size < most &&
         (wide ? ((const wchar_t *)text)[size] : ((const char *)text)[size]))
    ++size;
  size += size < most;
  return wide ? size * sizeof(wchar_t) : size;
}

/// The letter of a conversion that only gpuexec's server knows: prints the text
/// of the error (strerror) whose number is the width.
enum { RPC_PRINTF_ERROR_TEXT = 5 };

/// The letters of conversions that only gpuexec's server knows: print a wide
/// string and a wide character in UTF-8. In the C locale %ls and %lc are sent
/// unchanged.
enum { RPC_PRINTF_UTF8_STRING = 6, RPC_PRINTF_UTF8_CHARACTER = 7 };

/// Makes the host format and print. Returns the number of bytes written, or -1
/// with errno. Moves `*arguments` behind the arguments that the format used.
/// With RPC_PRINTF_SLOTS `format` points to call_parts, and `arguments` is
/// null.
static __attribute__((noinline)) int print(FILE *stream, rpc_opcode opcode,
                                           const char *format,
                                           uint64_t format_size,
                                           const char **arguments) {
  int result = -1, error = 0;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(group, mask, opcode) {
    rpc_port port = __port_open(opcode);
    if (opcode == FORM(STREAM) || opcode == RPC_PRINTF_LONG_SLOTS) {
      __port_send_begin(&port)->words[0] =
          opcode == FORM(STREAM) ? stream->handle : stream_tagged(stream);
      __port_send_end(&port);
    }
    // Sends the format; then the arguments, whose size the host has determined
    // from it; then the strings that the host asks for. One loop for all three,
    // so that the code that sends a stream is inlined once.
    const void *piece = format;
    uint64_t size = format_size, there;
    for (bool arguments_sent = opcode == RPC_PRINTF_SLOTS;;) {
      __port_send_n(&port, piece, size);
      const rpc_packet *answer = __port_recv(&port);
      if (!arguments_sent) {
        piece = *arguments;
        size = answer->words[0];
        *arguments += size;
        arguments_sent = true;
        continue;
      }
      result = (int)answer->words[0];
      error = (int)answer->words[RPC_ERRNO_WORD];
      const char *wanted = (const char *)answer->words[1];
      if (!__gpu_ballot(port.mask, wanted != NULL))
        break;
      piece = wanted;
      // gpuexec's server also sends the most characters that it will print of
      // the string, and whether it is wide.
      const bool ours = HOST_HAS_POSIX();
      size = string_size(wanted, ours ? answer->words[2] : UINT64_MAX,
                         ours && answer->words[3] == 1);
      if (rpc_has_feature(RPC_FEATURE_STRINGS) && rpc_use_bulk(wanted, size)) {
        there = RPC_STRING_THERE(size);
        piece = &there;
        size = sizeof there;
      }
    }
    __port_close(&port);
  }
  if (result < 0) {
    stream->failed = true;
    if (HOST_HAS_POSIX()) // other servers do not set the word
      errno = error;
  }
  return result;
}

/// The address behind the letter of the conversion that begins with the '%' at
/// `at`.
static const char *behind_conversion(const char *at) {
  // Flags, digits, '.', '*' and '$'; then lengths.
  const uint32_t marks = 0x03ff6c99; // " #$'*+-.0123456789", from ' ' on
  do
    ++at;
  while ((unsigned)(*at - ' ') < 32 && marks >> (*at - ' ') & 1);
  while (*at == 'h' || *at == 'l' || *at == 'L' || *at == 'j' || *at == 'z' ||
         *at == 't' || *at == 'q')
    ++at;
  return at + (*at != 0);
}

/// Replaces the letters of %ls, %S, %lc and %C in `format`, a copy of `text`,
/// by those for UTF-8; a null `format` is not changed. True if `text` has any.
static __attribute__((noinline, minsize)) bool mark_wide_text(const char *text,
                                                              char *format) {
  bool any = false;
  for (const char *at = text; *at;) {
    if (*at != '%') {
      ++at;
      continue;
    }
    const char *end = behind_conversion(at);
    const char letter = end[-1];
    const bool is_string = letter == 'S' || (letter == 's' && end[-2] == 'l');
    const bool is_character =
        letter == 'C' || (letter == 'c' && end[-2] == 'l');
    any |= is_string || is_character;
    if (format && (is_string || is_character))
      format[end - 1 - text] =
          is_string ? RPC_PRINTF_UTF8_STRING : RPC_PRINTF_UTF8_CHARACTER;
    at = end;
  }
  return any;
}

/// The number of 4-byte words in the argument of the conversion [begin, end):
/// 0, 1 or 2.
static unsigned argument_words(const char *begin, const char *end) {
  const char letter = end[-1];
  if (letter == 'c' || letter == 'C')
    return 1;
  if (!((letter | 0x20) >= 'a' && (letter | 0x20) <= 'x'))
    return 0;
#define BIT(c) (1u << ((c) - 'a'))
  const uint32_t integers =
      BIT('d') | BIT('i') | BIT('u') | BIT('o') | BIT('x') | BIT('b');
  const uint32_t large = BIT('a') | BIT('e') | BIT('f') | BIT('g') | BIT('s') |
                         BIT('p') | BIT('n');
#undef BIT
  const uint32_t kind = 1u << ((letter | 0x20) - 'a');
  bool wide = kind & large;
  for (const char *at = begin; at < end - 1; ++at)
    wide |= *at > 'h' || *at == 'L'; // ll, j, z, t, q
  return kind & (integers | large) ? 1 + wide : 0;
}

/// Prints by a server other than gpuexec's. Moves `*list` behind the slots that
/// the format used. Fails with EINVAL for arguments by number ("%1$d") and for
/// more than about 125 words of arguments.
static __attribute__((noinline, minsize)) int
print_elsewhere(FILE *stream, const char *format, uint64_t format_size,
                const char **list) {
  uint32_t block[128];
  unsigned used = 0;
  const char *begin = NULL, *end = format;
  for (const char *at = format; *at; ++at) {
    if (at >= end && *at == '%')
      begin = at, end = behind_conversion(at);
    if (at >= end)
      continue;
    if (*at == '$' || used + 3 > sizeof block / sizeof *block)
      return errno = EINVAL, -1;
    const unsigned words =
        at == end - 1 ? argument_words(begin, end) : *at == '*';
    if (!words)
      continue;
#ifndef __AMDGPU__
    used += words == 2 && used % 2;
#endif
    const uint32_t *slot = (const uint32_t *)*list;
    block[used] = slot[0];
    block[used + 1] = slot[1]; // the next argument's, if this one has one word
    used += words;
    *list += SLOT;
  }
  const char *arguments = (const char *)block;
  return print(stream,
               stream_opcode(stream, FORM(STDOUT), FORM(STDERR), FORM(STREAM)),
               format, format_size, &arguments);
}

/// Prints a format with the arguments at `*list` and moves `*list` behind them.
/// On both targets a va_list is the address of the next argument.
static int print_format(FILE *stream, const char *format, uint64_t format_size,
                        const char **list) {
  return rpc_has_feature(RPC_FEATURE_PRINTF)
             ? print(stream, RPC_PRINTF_LONG_SLOTS, format, format_size, list)
             : print_elsewhere(stream, format, format_size, list);
}

/// A whole call in one message, for gpuexec's server. At most two packets: a
/// longer one would be slower than sending format and arguments separately.
enum { MOST_PARTS = 2 * RPC_PACKET_BYTES - 8 };
typedef union {
  uint64_t words[MOST_PARTS / 8]; ///< stream, format, arguments
  char bytes[MOST_PARTS];
} call_parts;

typedef struct {
  uint64_t size;      ///< of the format, its null included
  bool count, error;  ///< the format has a %n, a %m
  bool known;         ///< `arguments` is valid; else only the host can tell it
  uint32_t arguments; ///< the size in bytes of the arguments' slots
} format_facts;

/// Examines the format, and copies as much of it as fits into `parts`.
static format_facts examine(const char *format, call_parts *parts) {
  format_facts facts = {.known = true};
  uint32_t to = sizeof parts->words[0];
  bool conversion = false, wide = false;
  char c;
  for (const char *at = format;; ++at) {
    c = *at;
    if (to < sizeof parts->bytes)
      parts->bytes[to] = c;
    ++to;
    if (!c)
      break;
    if (!conversion) {
      conversion = c == '%';
      continue;
    }
    const uint32_t from_space = (unsigned char)c - ' ';
    uint32_t size = 0;
    if (from_space < 32) {
      const uint32_t marks = 0x03ff6c99; // " #$'*+-.0123456789"
      if (marks >> from_space & 1) {
        facts.known &= c != '$';
        if (c != '*')
          continue;
        size = sizeof(int);
      } else {
        conversion = wide = false;
        facts.known &= c == '%';
      }
    } else {
#define BIT(c) (1ull << ((c) - '@'))
      const uint64_t lengths = BIT('h') | BIT('l') | BIT('L') | BIT('j') |
                               BIT('z') | BIT('t') | BIT('q');
      const uint64_t integers = BIT('d') | BIT('i') | BIT('u') | BIT('o') |
                                BIT('x') | BIT('X') | BIT('b') | BIT('B');
      const uint64_t large = BIT('a') | BIT('A') | BIT('e') | BIT('E') |
                             BIT('f') | BIT('F') | BIT('g') | BIT('G') |
                             BIT('s') | BIT('S') | BIT('p');
      const uint64_t letter = 1ull << (c & 63);
#undef BIT
      if (letter & lengths) {
        wide |= c != 'h'; // %Lu is %llu, as in glibc
        continue;
      }
      size = letter & large         ? 8
             : letter & integers    ? wide ? 8 : sizeof(int)
                : c == 'c' || c == 'C' ? sizeof(int)
                                    : 0;
      facts.known &= size != 0 && (unsigned char)c >> 6 == 1;
      facts.count |= c == 'n';
      facts.error |= c == 'm';
      conversion = wide = false;
    }
    if (size)
      facts.arguments += SLOT;
  }
  facts.size = to - sizeof parts->words[0];
  return facts;
}

/// Adds the stream and the arguments to `parts`, which holds the format
/// already. Returns the size of the message, or 0 if it cannot be sent in one
/// piece.
static uint32_t complete(const FILE *stream, const format_facts *facts,
                         const char *list, call_parts *parts) {
  const uint32_t behind = sizeof parts->words[0] + ((facts->size + 7) & ~7u);
  if (facts->size > sizeof parts->bytes || !facts->known ||
      behind + facts->arguments > sizeof parts->bytes ||
      !rpc_has_feature(RPC_FEATURE_PRINTF))
    return 0;
  parts->words[0] = stream_tagged(stream);
  for (uint32_t at = sizeof parts->words[0] + facts->size; at < behind; ++at)
    parts->bytes[at] = 0;
  for (uint32_t at = 0; at < facts->arguments; at += SLOT)
    parts->words[(behind + at) / SLOT] = *(const uint64_t *)(list + at);
  return behind + facts->arguments;
}

/// Prints a format with %n, for which the host cannot store the count. The
/// pieces of the format between the %n are printed one after the other, and the
/// results added up. `utf8`: wide text becomes UTF-8. Fails with EINVAL for a
/// conversion that is longer than a piece.
static __attribute__((noinline, minsize)) int
print_counting(FILE *stream, const char *format, const char *list, bool utf8) {
  char piece[512];
  int used = 0, total = 0;
  for (;;) {
    const char *end = *format == '%' ? behind_conversion(format) : format + 1;
    const int size = (int)(end - format);
    const bool is_count = *format == '%' && end[-1] == 'n';
    if (used && (!*format || is_count || used + size >= (int)sizeof piece)) {
      piece[used] = 0;
      if (utf8)
        mark_wide_text(piece, piece);
      const int printed =
          print_format(stream, piece, (uint64_t)used + 1, &list);
      if (printed < 0)
        return printed;
      total += printed;
      used = 0;
    }
    if (!*format)
      return total;
    if (is_count) {
      void *to = *(void *const *)list;
      list += SLOT;
      if (end[-2] == 'h' && end[-3] == 'h')
        *(signed char *)to = (signed char)total;
      else if (end[-2] == 'h')
        *(short *)to = (short)total;
      else if (end[-2] == '%')
        *(int *)to = total;
      else
        *(long *)to = total;
    } else if (size >= (int)sizeof piece) {
      return errno = EINVAL, -1;
    } else {
      for (int i = 0; i < size; ++i)
        piece[used++] = format[i];
    }
    format = end;
  }
}

/// Prints a format with %m: replaces it by RPC_PRINTF_ERROR_TEXT with errno as
/// the width, for which gpuexec's server prints the text. Fails with EINVAL
/// when the format is too long.
static __attribute__((noinline, minsize)) int
print_error(FILE *stream, const char *format, const char *list, bool count,
            bool utf8) {
  char copy[512], *to = copy;
  const int error = errno;
  while (*format) {
    const char *end = *format == '%' ? behind_conversion(format) : format + 1;
    if (to + (end - format) + 8 > copy + sizeof copy)
      return errno = EINVAL, -1;
    if (*format == '%' && end[-1] == 'm') {
      *to++ = '%';
      for (int power = 1000; power; power /= 10)
        if (error >= power)
          *to++ = (char)('0' + error / power % 10);
      *to++ = RPC_PRINTF_ERROR_TEXT;
      format = end;
    }
    while (format != end)
      *to++ = *format++;
  }
  *to = 0;
  return count || utf8
             ? print_counting(stream, copy, list, utf8)
             : print_format(stream, copy, (uint64_t)(to - copy) + 1, &list);
}

static inline int print_any(FILE *restrict stream, const char *restrict format,
                            va_list list) {
  const char *arguments = (const char *)list;
  _Static_assert(sizeof(va_list) == sizeof(void *), "the block's address");
  if (stream->out_used)
    __stream_flush_if_any(stream); // keeps the order of the output
  call_parts parts;
  const format_facts facts = examine(format, &parts);
  const bool utf8 =
      locale_is_utf8() && HOST_HAS_POSIX() && mark_wide_text(format, NULL);
  if (facts.error && HOST_HAS_POSIX())
    return print_error(stream, format, arguments, facts.count, utf8);
  if (facts.count)
    return print_counting(stream, format, arguments, utf8);
  const uint32_t size = complete(stream, &facts, arguments, &parts);
  if (utf8 && !size)
    return print_counting(stream, format, arguments, utf8);
  if (utf8)
    mark_wide_text(format, parts.bytes + sizeof parts.words[0]);
  if (size)
    return print(stream, RPC_PRINTF_SLOTS, parts.bytes, size, NULL);
  return print_format(stream, format, facts.size, &arguments);
}

/// print_any() while the wave holds the stream; for programs with flockfile().
static __attribute__((noinline)) int
print_when_ours(FILE *restrict stream, const char *restrict format,
                va_list list) {
  int result = -1;
  WHILE_OURS(stream) { result = print_any(stream, format, list); }
  return result;
}

/// Prints as a record where that is possible, else at once. `layout`: of the
/// format, if it is known. `now`: the result is needed.
static inline int print_with(FILE *stream, const char *format, va_list list,
                             const struct print_layout *layout, bool now) {
  if (stream_is_wide(stream))
    return -1;
  stream_takes_bytes(stream);
  if (stream->own)
    return __own_stream_print(stream, format, list);
  const uint64_t *slots = (const uint64_t *)list;
  const int result = layout
                         ? __stream_record(stream, layout, slots, now)
                         : __stream_record_format(stream, format, slots, now);
  if (result != NOT_RECORDED)
    return result;
  return __stream_take ? print_when_ours(stream, format, list)
                       : print_any(stream, format, list);
}

__attribute__((noinline)) int
vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
  return print_with(stream, format, list, NULL, true);
}

int vprintf(const char *restrict format, va_list list) {
  return vfprintf(stdout, format, list);
}

int printf(const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfprintf(stdout, format, list);
  va_end(list);
  return result;
}

#ifdef __AMDGPU__
// For objects that were compiled without LTO, see <stdio.h>.
extern __typeof(printf) __gpuexec_printf __attribute__((alias("printf")));
#endif

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfprintf(stream, format, list);
  va_end(list);
  return result;
}

//===-- Calls whose result nobody uses (the pass record_prints) -----------===//

FOR_PASS int __gpuexec_vfprint(FILE *stream, const char *format, va_list list) {
  return print_with(stream, format, list, NULL, false);
}

FOR_PASS int __gpuexec_vprint(const char *format, va_list list) {
  return __gpuexec_vfprint(stdout, format, list);
}

FOR_PASS int __gpuexec_print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __gpuexec_vfprint(stdout, format, list);
  va_end(list);
  return result;
}

FOR_PASS int __gpuexec_fprint(FILE *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __gpuexec_vfprint(stream, format, list);
  va_end(list);
  return result;
}

static __attribute__((noinline)) int
print_known(FILE *stream, const struct print_layout *layout, va_list list) {
  return print_with(stream, layout->format, list, layout, false);
}

FOR_PASS int __gpuexec_print_known(FILE *stream,
                                   const struct print_layout *layout, ...) {
  va_list list;
  va_start(list, layout);
  const int result = quick_record(stream, layout, (const uint64_t *)list)
                         ? 0
                         : print_known(stream, layout, list);
  va_end(list);
  return result;
}
