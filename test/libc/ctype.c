// ctype.h: every function on every byte, EOF and what is negative, those with a locale too; locale.h's objects; nl_langinfo.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>

static void run(struct test *t) {
  for (int c = -1; c < 128; ++c)
    out(t, "%d %d%d%d%d%d%d%d%d%d%d%d%d %d %d", c, !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c),
        !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c),
        toupper(c));
  for (int c = 128; c < 256; ++c)
    out(t, "%d %d", c, !!(isalnum(c) | isalpha(c) | isblank(c) | iscntrl(c) | isgraph(c) | isprint(c) | isspace(c)));
  // A char that is negative: the functions, and the macros with a value that the compiler knows.
  for (int c = -128; c < -1; ++c)
    out(t, "%d %d%d %d %d", c, isalnum(c) | isblank(c) | iscntrl(c) | ispunct(c) | isspace(c) | isxdigit(c),
        (isalpha)(c) | (isgraph)(c) | (isprint)(c) | (isspace)(c) | (isupper)(c), tolower(c),
        toupper(c));
  out(t, "%d %d %d", isspace((char)0xe4), isalpha((char)0x80), iscntrl((char)0xef));
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), copy = duplocale(plain);
  out(t, "%d %d %d", plain != (locale_t)0, copy != (locale_t)0, newlocale(LC_ALL_MASK, "xx_XX.none", (locale_t)0) == (locale_t)0);
  for (int c = -1; c < 256; ++c)
    out(t, "%d %d%d%d%d%d%d%d%d%d%d%d%d %d %d", c, !!isalnum_l(c, copy), !!isalpha_l(c, copy), !!isblank_l(c, copy),
        !!iscntrl_l(c, copy), !!isdigit_l(c, copy), !!isgraph_l(c, copy), !!islower_l(c, copy), !!isprint_l(c, copy),
        !!ispunct_l(c, copy), !!isspace_l(c, copy), !!isupper_l(c, copy), !!isxdigit_l(c, copy), tolower_l(c, copy),
        toupper_l(c, copy));
  for (int c = 0; c < 300; c += 7)
    out(t, "%d %d", !!isascii(c), toascii(c));
  out(t, "%s %s %s %s", nl_langinfo(CODESET), nl_langinfo_l(CODESET, plain), nl_langinfo(DAY_1), nl_langinfo(RADIXCHAR));
  locale_t before = uselocale((locale_t)0);
  out(t, "%d %d", uselocale(plain) == before, uselocale(before) == plain);
  freelocale(copy);
  freelocale(plain);
}
