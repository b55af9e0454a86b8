// time.h: calendar arithmetic and strftime in the C locale.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <time.h>

static void run(struct test *t) {
  static const long times[] = {0, 1, -1, 86399, 86400, -86401, 951782400, 951868800, 1000000000, 2147483647, 2147483648,
                               4102444799, 4102444800, -2208988800, 253402300799, 1709164800, 1735603200, -62135596800};
  static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%a %A %b %B %d %e %j", "%C %y %G %g %V %U %W %u %w",
                                        "%I %l %p %P %k", "%c|%x|%X|%r|%R|%T|%D|%F", "%n%t%%", "%Ey %Od %-d %_d %05d %^a %#p",
                                        "%10Y|%3m|%Q"};
  for (unsigned i = 0; i < sizeof times / sizeof *times; ++i) {
    struct tm at;
    time_t when = times[i];
    gmtime_r(&when, &at);
    for (unsigned j = 0; j < sizeof formats / sizeof *formats; ++j) {
      char text[200];
      size_t size = strftime(text, sizeof text, formats[j], &at);
      out(t, "%ld %zu %s", times[i], size, text);
    }
    char text[64];
    out(t, "%s %ld %d %d", asctime_r(&at, text), (long)timegm(&at), at.tm_wday, at.tm_yday);
  }
  struct tm odd = {.tm_year = 124, .tm_mon = 14, .tm_mday = -3, .tm_hour = 50, .tm_min = -7, .tm_sec = 4000};
  out(t, "%ld %d-%d-%d", (long)timegm(&odd), odd.tm_year, odd.tm_mon, odd.tm_mday);
  char small[5];
  out(t, "%zu", strftime(small, sizeof small, "%Y-%m", &odd));
  out(t, "%g", difftime(100, 40));
}
