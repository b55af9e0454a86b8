// time.h: calendar arithmetic, strftime and strptime in the C locale; local time and mktime in UTC and in two zones with
// summer time, one of the northern and one of the southern half of the world.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && env TZ=UTC0 %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t -lm
// RUN: env TZ=UTC0 %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: env TZ=CET-1CEST,M3.5.0,M10.5.0/3 %t.host > %t.north
// RUN: env TZ=CET-1CEST,M3.5.0,M10.5.0/3 %run %t > %t.out
// RUN: diff %t.north %t.out
// RUN: env TZ=XST+3:30XDT,M10.1.0/0,M2.3.0/0 %t.host > %t.south
// RUN: env TZ=XST+3:30XDT,M10.1.0/0,M2.3.0/0 %run %t > %t.out
// RUN: diff %t.south %t.out
// RUN: env TZ=CET-1CEST,M3.5.0,M10.5.0/3 %run %many %t $(tail -1 %t.north)
#define _GNU_SOURCE
#include "libc_test.h"
#include <locale.h>
#include <time.h>
#include <wchar.h>

static void run(struct test *t) {
  static const long times[] = {0, 1, -1, 86399, 86400, -86401, 951782400, 951868800, 1000000000, 2147483647, 2147483648,
                               4102444799, 4102444800, -2208988800, 253402300799, 1709164800, 1735603200, -62135596800};
  static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%a %A %b %B %d %e %j", "%C %y %G %g %V %U %W %u %w",
                                        "%I %l %p %P %k", "%c|%x|%X|%r|%R|%T|%D|%F", "%n%t%%", "%Ey %Od %-d %_d %05d %^a %#p",
                                        "%10Y|%3m|%Q", "%h %Ec %EC %Ex %EX %EY", "%OH %OI %Oe %Om %OM %OS", "%Ou %OU %OV %Ow %OW",
                                        "%_H|%-I|%0e|%^b|%#a|%-j|%_m|%012F|%5T|%^#Z|%+4Y", "", "%", "%E", "text only"};
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  for (unsigned i = 0; i < sizeof times / sizeof *times; ++i) {
    struct tm at;
    time_t when = times[i];
    gmtime_r(&when, &at);
    for (unsigned j = 0; j < sizeof formats / sizeof *formats; ++j) {
      char text[200];
      text[0] = 0;
      size_t size = strftime(text, sizeof text, formats[j], &at);
      out(t, "%ld %zu %s", times[i], size, size ? text : "");
      wchar_t wide_format[100], wide[200];
      mbstowcs(wide_format, formats[j], 100);
      const size_t wide_size = wcsftime(wide, 200, wide_format, &at);
      out(t, "%zu %ls", wide_size, wide_size ? wide : L"");
      char same[200] = "";
      out(t, "%d", strftime_l(same, sizeof same, formats[j], &at, c_locale) == size && !strcmp(same, size ? text : ""));
    }
    char text[64];
    out(t, "%s %ld %d %d", asctime_r(&at, text), (long)timegm(&at), at.tm_wday, at.tm_yday);
  }
  freelocale(c_locale);
  struct tm odd = {.tm_year = 124, .tm_mon = 14, .tm_mday = -3, .tm_hour = 50, .tm_min = -7, .tm_sec = 4000};
  out(t, "%ld %d-%d-%d", (long)timegm(&odd), odd.tm_year, odd.tm_mon, odd.tm_mday);
  char small[5];
  out(t, "%zu", strftime(small, sizeof small, "%Y-%m", &odd));
  out(t, "%g", difftime(100, 40));
  // Local time, and back.
  tzset();
  out(t, "%s %s %ld %d", tzname[0], tzname[1], timezone, daylight);
  static const long locals[] = {0, 1711846799, 1711846800, 1729990800, 1729994400, 1720000000, 1704067200, 951782400, -86400, 4102444800};
  for (unsigned i = 0; i < sizeof locals / sizeof *locals; ++i) {
    time_t when = locals[i];
    struct tm at, *shared = localtime(&when);
    char text[100], plain[64];
    out(t, "%d %d", shared != NULL, localtime_r(&when, &at) == &at);
    strftime(text, sizeof text, "%F %T %z %Z %s", &at);
    out(t, "%s isdst %d gmtoff %ld %s", text, at.tm_isdst, at.tm_gmtoff, at.tm_zone);
    out(t, "%s%s%s", ctime(&when), ctime_r(&when, plain), asctime(shared));
    out(t, "%ld", (long)mktime(&at));
    at.tm_isdst = -1;
    out(t, "%ld %ld", (long)mktime(&at), (long)timelocal(&at));
    shared = gmtime(&when);
    out(t, "%d-%d-%d %d", shared->tm_year, shared->tm_mon, shared->tm_mday, shared->tm_isdst);
  }
  // What is out of range is made right; the hour that summer time leaves out, and the one that comes twice.
  static const struct tm forms[] = {{.tm_year = 124, .tm_mon = 2, .tm_mday = 31, .tm_hour = 2, .tm_min = 30, .tm_isdst = -1},
                                    {.tm_year = 124, .tm_mon = 9, .tm_mday = 27, .tm_hour = 2, .tm_min = 30, .tm_isdst = 0},
                                    {.tm_year = 124, .tm_mon = 9, .tm_mday = 27, .tm_hour = 2, .tm_min = 30, .tm_isdst = 1},
                                    {.tm_year = 100, .tm_mon = 14, .tm_mday = -40, .tm_hour = 99, .tm_min = -5, .tm_sec = 100000, .tm_isdst = -1},
                                    {.tm_year = 123, .tm_mon = 1, .tm_mday = 29, .tm_hour = 12, .tm_isdst = 0},
                                    {.tm_year = 69, .tm_mon = 11, .tm_mday = 31, .tm_hour = 23, .tm_isdst = 0},
                                    {.tm_year = 124, .tm_mon = 6, .tm_mday = 1, .tm_hour = 12, .tm_isdst = 0}};
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; ++i) {
    struct tm at = forms[i];
    const time_t when = mktime(&at);
    out(t, "%ld %d-%d-%d %d:%d:%d %d %d %d", (long)when, at.tm_year, at.tm_mon, at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec,
        at.tm_wday, at.tm_yday, at.tm_isdst);
  }
  static const struct {
    const char *text, *format;
  } parsed[] = {{"2024-02-29 13:14:15", "%Y-%m-%d %H:%M:%S"}, {"Thu 29 Feb 24", "%a %d %b %y"}, {"  7:05 PM", "%I:%M %p"},
                {"12/31/99", "%D"}, {"1999-365", "%Y-%j"}, {"nonsense", "%Y"}, {"2024-13-01", "%Y-%m-%d"}, {"23:59:60 rest", "%T"},
                {"20240229T131415", "%Y%m%dT%H%M%S"}, {"1:2:3", "%T"}, {"Monday, 4 march 2024", "%A, %d %B %Y"}, {"Mar  5 08:09:10", "%b %e %T"},
                {"Thu Feb 29 13:14:15 2024", "%c"}, {"02/30/24 1%", "%x %w%%"}, {"2024 60", "%Y %j"}, {"2024 09 4", "%Y %U %w"},
                {"2024 09 1", "%Y %W %u"}, {"20 24", "%C %y"}, {"2024-02-29 +0530 x", "%F %z%n%t"}, {"2024-02-29 -08:30", "%F %z"},
                {"12:00:00 am", "%r"}, {"12 PM", "%I %p"}, {"x", "x%"}, {"1720000000 y", "%s"}, {"31", "%m"}, {"25", "%H"}, {"Feb", "%B"},
                {"99", "%y"}, {"68", "%y"}, {"2024-02-29 CET end", "%F %Z end"}, {"", ""}, {"", "%Y"}, {"5", "%Od"}, {"12 05", "%k%M"}};
  for (unsigned i = 0; i < sizeof parsed / sizeof *parsed; ++i) {
    struct tm at = {0};
    const char *end = strptime(parsed[i].text, parsed[i].format, &at);
    out(t, "%s: %s", parsed[i].text, end ? end : "(no)");
    if (end)
      out(t, "%d-%d-%d %d:%d:%d %d %d %ld", at.tm_year, at.tm_mon, at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec, at.tm_wday,
          at.tm_yday, at.tm_gmtoff);
  }
  errno = 0;
  const time_t far = 0x7fffffffffffffff;
  struct tm none;
  out(t, "%d", gmtime_r(&far, &none) == NULL);
  out(t, "%d", errno);
  struct tm wild = {.tm_year = 2147483647, .tm_mon = 2147483647};
  out(t, "%d", mktime(&wild) == -1);
}
