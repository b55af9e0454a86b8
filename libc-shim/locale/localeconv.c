//===-- libc-shim/locale/localeconv.c - localeconv() ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and amounts of money are written as in the C locale in every locale.
//===----------------------------------------------------------------------===//
#include <limits.h>
#include <locale.h>

struct lconv *localeconv(void) {
  static char point[] = ".", none[] = "";
  static struct lconv conventions = {
      .decimal_point = point,
      .thousands_sep = none,
      .grouping = none,
      .int_curr_symbol = none,
      .currency_symbol = none,
      .mon_decimal_point = none,
      .mon_thousands_sep = none,
      .mon_grouping = none,
      .positive_sign = none,
      .negative_sign = none,
      .int_frac_digits = CHAR_MAX,
      .frac_digits = CHAR_MAX,
      .p_cs_precedes = CHAR_MAX,
      .p_sep_by_space = CHAR_MAX,
      .n_cs_precedes = CHAR_MAX,
      .n_sep_by_space = CHAR_MAX,
      .p_sign_posn = CHAR_MAX,
      .n_sign_posn = CHAR_MAX,
      .int_n_cs_precedes = CHAR_MAX,
      .int_n_sep_by_space = CHAR_MAX,
      .int_n_sign_posn = CHAR_MAX,
      .int_p_cs_precedes = CHAR_MAX,
      .int_p_sep_by_space = CHAR_MAX,
      .int_p_sign_posn = CHAR_MAX,
  };
  return &conventions;
}
