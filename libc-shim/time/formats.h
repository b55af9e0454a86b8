//===-- libc-shim/time/formats.h - Words and formats of time ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What strftime() writes and strptime() reads in the C locale.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_SHIM_TIME_FORMATS_H
#define GPUEXEC_LIBC_SHIM_TIME_FORMATS_H

static const char days[7][10] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                 "Thursday", "Friday", "Saturday"};
static const char months[12][10] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

/// Conversions that stand for a format of others.
static const struct format_row {
  char conversion;
  char format[21];
} formats[] = {
    {'c', "%a %b %e %H:%M:%S %Y"},
    {'D', "%m/%d/%y"},
    {'F', "%Y-%m-%d"},
    {'R', "%H:%M"},
    {'r', "%I:%M:%S %p"},
    {'T', "%H:%M:%S"},
    {'X', "%H:%M:%S"},
    {'x', "%m/%d/%y"},
};

/// The format that a conversion stands for; null when it stands for none.
static inline const char *format_of(char conversion) {
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (formats[i].conversion == conversion)
      return formats[i].format;
  return 0;
}

#endif
