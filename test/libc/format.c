// snprintf: flags, widths, precisions, lengths, conversions.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#include "libc_test.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

static void run(struct test *t) {
  static const char *const flags[] = {"", "-", "+", " 0", "#", "0"};
  static const char *const sizes[] = {"", "12", ".0", ".3", "15.7"};
  static const double numbers[] = {0, -0.0, 1, 0.5, 2.5, 9.9995, 123456789.125, 1e-5, 1e100, 5e-324, 1.7976931348623157e308,
                                   INFINITY};
  static const long integers[] = {0, 1, -1, 255, 2147483648, -9223372036854775807 - 1};
  char format[32];
  for (int f = 0; f < 6; ++f)
    for (int s = 0; s < 5; ++s) {
      for (const char *c = "eEfgGa"; *c; ++c) {
        snprintf(format, sizeof format, "%%%s%s%c", flags[f], sizes[s], *c);
        for (int i = 0; i < 12; ++i)
          out(t, format, numbers[i]);
      }
      for (const char *c = "diuxXo"; *c; ++c) {
        snprintf(format, sizeof format, "%%%s%sl%c", flags[f], sizes[s], *c);
        for (int i = 0; i < 6; ++i)
          out(t, format, integers[i]);
      }
      snprintf(format, sizeof format, "%%%s%ss", flags[f], sizes[s]);
      out(t, format, "text");
      out(t, format, (char *)NULL);
    }
  out(t, "%hhd %hd %d %zu %jd %td", 300, 70000, -5, (size_t)9, (intmax_t)-3, (ptrdiff_t)4);
  out(t, "%c%c%5c|%-3c|", 'a', 'b', 'c', 'd');
  out(t, "%*d|%-*d|%.*f|%*.*e", 6, 42, 6, 42, 3, 3.14159, 12, 2, 1234.5);
  out(t, "%2$s %1$d %2$.2s", 7, "positional");
  int stored = 0;
  out(t, "12345%n6", &stored);
  out(t, "%d %p %p", stored, (void *)0, (void *)0x1234);
  out(t, "%ls|%lc|%.2ls", L"wide", L'w', L"cut");
  char small[5];
  int size = snprintf(small, sizeof small, "%s", "truncated");
  out(t, "%d %s %d", size, small, snprintf(NULL, 0, "%1000d", 5));
}
