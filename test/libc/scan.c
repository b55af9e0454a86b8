// sscanf: a cross product of inputs and formats.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#include "libc_test.h"

static void run(struct test *t) {
  static const char *const inputs[] = {"", "42", "-7 8", "0x1F", "  abc def", "1.5e3x", "12:34:56", "a,b", "99999999999999999999",
                                       "inf nan", "1e+", "]x", "08"};
  static const char *const formats[] = {"%d", "%i", "%x", "%hhd", "%ld", "%2d%d", "%d %d", "%d:%d:%d", "%s", "%3s%s", "%c%c",
                                        "%[a-z]", "%[^,],%s", "%*d%s", "%lf", "%f%s", "%a", "%d%n", "%5c", "%%", "%*s%c"};
  for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; ++i)
    for (unsigned j = 0; j < sizeof formats / sizeof *formats; ++j) {
      unsigned long values[3][8];
      memset(values, 0, sizeof values);
      int count = sscanf(inputs[i], formats[j], values[0], values[1], values[2]);
      out(t, "%s|%s: %d %lx %lx %lx", inputs[i], formats[j], count, values[0][0], values[1][0], values[2][0]);
    }
}
