// What C23 adds to C17's headers, in -std=c23 and for _GNU_SOURCE: declarations, widths, numbers as text, units of UTF-8.
// RUN: %hostcc -std=c23 -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -std=c23 -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
// RUN: %gpucc -std=gnu17 -D_GNU_SOURCE -fsyntax-only -Wall -Werror -I%source/test/libc %s
#include "libc_test.h"
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

#define WIDE_AS(type, width) _Static_assert(sizeof(type) * CHAR_BIT == width, #width)
#define INTEGER(bits)                                                                                                          \
  WIDE_AS(int##bits##_t, INT##bits##_WIDTH);                                                                                     \
  WIDE_AS(uint##bits##_t, UINT##bits##_WIDTH);                                                                                   \
  WIDE_AS(int_least##bits##_t, INT_LEAST##bits##_WIDTH);                                                                         \
  WIDE_AS(uint_least##bits##_t, UINT_LEAST##bits##_WIDTH);                                                                       \
  WIDE_AS(int_fast##bits##_t, INT_FAST##bits##_WIDTH);                                                                           \
  WIDE_AS(uint_fast##bits##_t, UINT_FAST##bits##_WIDTH)
INTEGER(8);
INTEGER(16);
INTEGER(32);
INTEGER(64);
WIDE_AS(intptr_t, INTPTR_WIDTH);
WIDE_AS(uintptr_t, UINTPTR_WIDTH);
WIDE_AS(intmax_t, INTMAX_WIDTH);
WIDE_AS(uintmax_t, UINTMAX_WIDTH);
WIDE_AS(ptrdiff_t, PTRDIFF_WIDTH);
WIDE_AS(size_t, SIZE_WIDTH);
WIDE_AS(sig_atomic_t, SIG_ATOMIC_WIDTH);
WIDE_AS(wchar_t, WCHAR_WIDTH);
WIDE_AS(wint_t, WINT_WIDTH);
WIDE_AS(char, CHAR_WIDTH);
WIDE_AS(short, SHRT_WIDTH);
WIDE_AS(int, INT_WIDTH);
WIDE_AS(unsigned long, ULONG_WIDTH);
WIDE_AS(long long, LLONG_WIDTH);
#if BOOL_WIDTH != 1 || INT_FAST8_WIDTH < 8 || SIZE_WIDTH != 64
#error widths are for #if too
#endif

static void texts(struct test *t) {
  char *whole = strdup("copied"), *part = strndup("copied", 3), bytes[16] = "";
  memccpy(bytes, "abcdef", 'd', sizeof bytes);
  out(t, "%s %s %s", whole, part, bytes);
  free(whole);
  free(part);
}

static void numbers(struct test *t) {
  static const char *const formats[] = {"%a", "%.3e", "%f", "%.0F", "%.10g", "%G", "%.E"};
  static const double values[] = {0, -0.0, 1, -1.5, 1e300, 3.14159265358979, 1e-310, INFINITY};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; ++i)
    for (unsigned j = 0; j < sizeof values / sizeof *values; ++j) {
      char text[400], cut[4] = "";
      const int length = strfromd(text, sizeof text, formats[i], values[j]);
      const int same = strfromd(cut, sizeof cut, formats[i], values[j]);
      out(t, "%d %d %s %s", length, same, text, cut);
      strfromf(text, sizeof text, formats[i], (float)values[j]);
      out(t, "%s", text);
    }
  char text[40];
  out(t, "%d", strfroml(text, sizeof text, "%.5f", 2.5L));
  out(t, "%s", text);
}

static void kinds(struct test *t) {
  static const double values[] = {0, -0.0, 1, 5e-324, -1e-310, DBL_MIN, INFINITY, NAN};
  for (unsigned i = 0; i < sizeof values / sizeof *values; ++i)
    out(t, "%d %d %d %d", issubnormal(values[i]) != 0, iszero(values[i]) != 0, iseqsig(values[i], 1.0) != 0,
        issubnormal((float)values[i]) != 0);
  out(t, "%.12g %.12g", exp10(3), (double)exp10l(2));
}

static void times(struct test *t) {
  struct timespec step = {9, 9};
  out(t, "%d", timespec_getres(&step, TIME_UTC));
  out(t, "%d", step.tv_sec == 0 && step.tv_nsec > 0);
  out(t, "%d", timespec_getres(NULL, TIME_UTC));
  out(t, "%d", timespec_getres(&step, 12345));
}

// The units of each character, and what becomes of them.
static void units(struct test *t, const char *text) {
  mbstate_t to = {0}, from = {0};
  for (const char *at = text, *end = text + strlen(text) + 1; at < end;) {
    char8_t unit = 0;
    errno = 0;
    const size_t used = mbrtoc8(&unit, at, (size_t)(end - at), &to);
    out(t, "%d %02x %d", (int)used, unit, errno);
    if (used == (size_t)-1 || used == (size_t)-2)
      return;
    char bytes[MB_LEN_MAX];
    errno = 0;
    const size_t written = c8rtomb(bytes, unit, &from);
    out(t, "%d %d %.*s", (int)written, errno, written < 5 ? (int)written : 0, bytes);
    at += used == (size_t)-3 ? 0 : used ? used : 1;
    if (!used)
      return;
  }
}

static void run(struct test *t) {
  texts(t);
  numbers(t);
  kinds(t);
  times(t);
  units(t, "plain");
}
