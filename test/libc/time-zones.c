// The time zone that a program chooses itself, setenv("TZ") and tzset(): names of the host's database, POSIX's rules, and what is neither.
// 26 zones x 8 times: localtime, strftime and mktime print what they print with glibc, also in a sandbox and in a recording.
// Zone files come along, and what is expected of them: the machine that runs a bundle of tests may have none. The program that is linked
// here is one line with its use, which a bundle does not repeat.
// RUN: rm -rf %t.zones && mkdir -p %t.zones && %hostcc -fno-builtin %s -o %t.host && \
// RUN:   (cd /usr/share/zoneinfo && cp -L --parents Europe/Berlin Europe/Dublin America/New_York Asia/Kolkata Asia/Tokyo Australia/Lord_Howe Africa/Casablanca Europe/Istanbul UTC Universal %t.zones) && \
// RUN:   env TZDIR=%t.zones %t.host relative > %t.expected && env TZDIR=%t.zones TZ=Asia/Tokyo %t.host here > %t.expected-here && \
// RUN:   env TZDIR=%t.zones/Europe TZ=Berlin %t.host here > %t.expected-berlin
// RUN: %gpucc -O2 %s -o %t
// RUN: env TZDIR=%t.zones %run %t relative > %t.out
// RUN: diff %t.expected %t.out
// RUN: env TZDIR=%t.zones TZ=Asia/Tokyo %run %t here | diff %t.expected-here -
// RUN: env TZDIR=%t.zones/Europe TZ=Berlin %run %t here | diff %t.expected-berlin -
// The host's own database. No zone has the last name outside of it.
// RUN: %if zone-files %{ %t.host > %t.expected && %run %t > %t.out && diff %t.expected %t.out %}
// RUN: %if zone-files %{ env TZ=Asia/Tokyo %t.host here > %t.here && env TZ=Asia/Tokyo %run %t here | diff %t.here - %}
// RUN: %if zone-files %{ env TZ=../zoneinfo/Asia/Tokyo %t.host here > %t.here && env TZ=../zoneinfo/Asia/Tokyo %run %t here | diff %t.here - %}
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const zones[] = {
    "Europe/Berlin", ":America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin", "Africa/Casablanca", "Europe/Istanbul", "UTC",
    "/usr/share/zoneinfo/Pacific/Apia", ":/etc/localtime", "", ":", "No/Such_Zone", "EST5EDT,M3.2.0,M11.1.0", "<+03>-3", "<-0330>+3:30:15",
    "CET-1CEST,M3.5.0,M10.5.0/3", "XST3XDT,J60,J300/1:30", "XST-10XDT-10:30,M10.1.0,M4.1.0", "ABC3DEF,59/-1,J365/25:30", "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "WGT3WGST,M3.5.0/-2,M10.5.0/-1", "EST+25", "EST5,M3.2.0", "ab3", "Abc-1:2:3Def4:5,0/0,J1/0"};
// 2024-02-28 23:59:59, the changes of Berlin and New York, new years of a leap year and of one before 1970, beyond 2038, winter, summer.
static const time_t times[] = {1709164799, 1711846800, 1730613600, 1704067199, -94694400, 4085971199, 1705320000, 1720000000};

static void print_zone(void) {
  printf("%s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
}

static void print_time(time_t when) {
  struct tm *at = localtime(&when);
  char text[100];
  strftime(text, sizeof text, "%F %T %z %Z %s %c %x", at);
  printf("  %s %d %ld", text, at->tm_isdst, at->tm_gmtoff);
  struct tm copy = *at;
  printf(" %ld", (long)mktime(&copy) - (long)when);
  copy.tm_isdst = 1; // the same hour by the other clock, where there is one
  copy.tm_mday += 100;
  printf(" %ld", (long)mktime(&copy));
  copy.tm_isdst = 0;
  printf(" %ld %s", (long)mktime(&copy), ctime(&when));
}

int main(int argc, char **argv) {
  const bool only_relative = argc > 1 && !strcmp(argv[1], "relative"); // names below TZDIR, and rules
  if (argc > 1 && !only_relative) {
    tzset();
    print_zone();
    print_time(times[0]);
    return 0;
  }
  for (unsigned i = 0; i < sizeof zones / sizeof *zones; ++i) {
    if (only_relative && strchr(zones[i], '/') == zones[i] + (*zones[i] == ':'))
      continue;
    setenv("TZ", zones[i], 1);
    tzset();
    printf("[%s] ", zones[i]);
    print_zone();
    for (unsigned j = 0; j < sizeof times / sizeof *times; ++j)
      print_time(times[j]);
  }
  // A zone that was there before; localtime() sees the change without tzset(), and a name without %Z's tm_zone is tzname's.
  putenv("TZ=Europe/Berlin");
  print_time(times[0]);
  struct tm none = {.tm_mday = 1, .tm_isdst = 1};
  char text[32];
  strftime(text, sizeof text, "%Z", &none);
  puts(text);
  unsetenv("TZ");
  if (!only_relative)
    print_time(times[0]);
}
