//===-- libc-shim/locale/nl_langinfo.c - Facts about a locale -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// glibc's answers for the C locale. The character set has its formal name,
// because programs compare with that. C.UTF-8 differs only in the character
// set.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include <langinfo.h>
#include <locale.h>

static char *answer(nl_item item, bool utf8) {
  static const char *const texts[] = {
      [CODESET] = "ANSI_X3.4-1968",
      [D_T_FMT] = "%a %b %e %H:%M:%S %Y",
      [D_FMT] = "%m/%d/%y",
      [T_FMT] = "%H:%M:%S",
      [T_FMT_AMPM] = "%I:%M:%S %p",
      [AM_STR] = "AM",
      [PM_STR] = "PM",
      [DAY_1] = "Sunday",
      [DAY_2] = "Monday",
      [DAY_3] = "Tuesday",
      [DAY_4] = "Wednesday",
      [DAY_5] = "Thursday",
      [DAY_6] = "Friday",
      [DAY_7] = "Saturday",
      [ABDAY_1] = "Sun",
      [ABDAY_2] = "Mon",
      [ABDAY_3] = "Tue",
      [ABDAY_4] = "Wed",
      [ABDAY_5] = "Thu",
      [ABDAY_6] = "Fri",
      [ABDAY_7] = "Sat",
      [MON_1] = "January",
      [MON_2] = "February",
      [MON_3] = "March",
      [MON_4] = "April",
      [MON_5] = "May",
      [MON_6] = "June",
      [MON_7] = "July",
      [MON_8] = "August",
      [MON_9] = "September",
      [MON_10] = "October",
      [MON_11] = "November",
      [MON_12] = "December",
      [ABMON_1] = "Jan",
      [ABMON_2] = "Feb",
      [ABMON_3] = "Mar",
      [ABMON_4] = "Apr",
      [ABMON_5] = "May",
      [ABMON_6] = "Jun",
      [ABMON_7] = "Jul",
      [ABMON_8] = "Aug",
      [ABMON_9] = "Sep",
      [ABMON_10] = "Oct",
      [ABMON_11] = "Nov",
      [ABMON_12] = "Dec",
      [RADIXCHAR] = ".",
      [YESEXPR] = "^[yY]",
      [NOEXPR] = "^[nN]",
      [CRNCYSTR] = "-",
      [_NL_TIME_DATE_FMT] = "%a %b %e %H:%M:%S %Z %Y",
  };
  if (item == CODESET && utf8)
    return (char *)"UTF-8";
  const unsigned index = (unsigned)item;
  const char *text = index < sizeof texts / sizeof *texts ? texts[index] : 0;
  return (char *)(text ? text : "");
}

char *nl_langinfo(nl_item item) { return answer(item, locale_is_utf8()); }

char *nl_langinfo_l(nl_item item, locale_t locale) {
  return answer(item, locale_is_utf8_l(locale));
}
