// strtod and its family: values, ends, errno.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#include "libc_test.h"
#include <math.h>

static void run(struct test *t) {
  static const char *const texts[] = {
      "0", "-0", "1", "1.5", ".5", "5.", "1e10", "1e-10", "1e308", "1e309", "1e-320", "1e-400", "inf", "-INFINITY", "nan",
      "nan(12)", "0x1p-3", "0x1.8p1", "0x", "1e", "1e+", "abc", "", " \t 3.25xyz", "2.2250738585072011e-308",
      "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308", "9007199254740993",
      "0.1", "0.3", "123456789012345678901234567890", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
      "1.00000000000000011102230246251565404236316680908203125", "1.00000000000000011102230246251565404236316680908203124",
      "3.4028235e38", "3.4028236e38", "1e23", "8.5", "0.000001", "1.e5", "0x1.fffffffffffff8p0", "0x1p-1075", "-.5e-5"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char *end, *end_single;
    errno = 0;
    double value = strtod(texts[i], &end);
    int error = errno;
    errno = 0;
    float single = strtof(texts[i], &end_single);
    out(t, "%s: %a %td %d; %a %td %d", texts[i], value, end - texts[i], error, single, end_single - texts[i], errno);
  }
  unsigned long state = 88172645463325252ul;
  for (int i = 0; i < 60; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    double value;
    memcpy(&value, &state, sizeof value);
    if (!isfinite(value))
      continue;
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    out(t, "%s %.6g %.0f %.25e %a %g", text, value, fmod(value, 1000), value, value, strtod(text, NULL) - value);
  }
}
