// ctype.h: every function on every byte and EOF.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#include "libc_test.h"
#include <ctype.h>

static void run(struct test *t) {
  for (int c = -1; c < 128; ++c)
    out(t, "%d %d%d%d%d%d%d%d%d%d%d%d%d %d %d", c, !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c),
        !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c),
        toupper(c));
  for (int c = 128; c < 256; ++c)
    out(t, "%d %d", c, !!(isalnum(c) | isalpha(c) | isblank(c) | iscntrl(c) | isgraph(c) | isprint(c) | isspace(c)));
}
