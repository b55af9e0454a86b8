//===-- libc-shim/locale/state.h - Which locale is in effect --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locales differ only in their character set: ASCII in the locale C, UTF-8 in
// all others. Functions that depend on it ask locale_is_utf8().
//
// A program that links neither setlocale() nor newlocale() has no store to
// __locale_any_utf8. The link-time optimiser then replaces it by false and
// removes the code and the tables of UTF-8.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_LOCALE_STATE_H
#define GPUEXEC_LIBC_LOCALE_STATE_H

#include <locale.h>
#include <stdbool.h>

enum { LOCALE_CATEGORIES = LC_MESSAGES }; // LC_COLLATE, the first one, is 1

/// A locale: the name of each category, names[LC_CTYPE - 1] and so on. The
/// texts are never freed or changed.
struct __locale_t {
  const char *names[LOCALE_CATEGORIES];
};

/// The locale of threads that have none of their own: setlocale()'s.
extern struct __locale_t __global_locale;
/// The name of the C locale. Names are compared by address with this one.
extern const char __locale_c[];

/// True once the program has chosen or made a locale with UTF-8.
extern bool __locale_any_utf8;
/// True once a thread has chosen a locale of its own with uselocale().
extern bool __locale_of_threads;

/// The locale of the calling thread.
struct __locale_t *__locale_current(void);

/// Is the locale's character set UTF-8? `locale` may be LC_GLOBAL_LOCALE.
bool __locale_has_utf8(const struct __locale_t *locale);

/// Is the character set of the calling thread's locale UTF-8?
static inline bool locale_is_utf8(void) {
  return __locale_any_utf8 && __locale_has_utf8(__locale_current());
}
static inline bool locale_is_utf8_l(const struct __locale_t *locale) {
  return __locale_any_utf8 && __locale_has_utf8(locale);
}

#endif
