//===-- libc-shim/locale/setlocale.c - The locale of the program ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See state.h. Only the locale of LC_CTYPE has an effect: it decides the
// character set. Collation, messages, numbers and times are always those of C.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/names.h"
#include "libc-shim/locale/state.h"
#include <stdio.h>
#include <string.h>

// In the order in which glibc names the categories of a mixed locale.
static const struct {
  int category;
  const char *name;
} categories[LOCALE_CATEGORIES] = {
    {LC_CTYPE, "LC_CTYPE"},       {LC_NUMERIC, "LC_NUMERIC"},
    {LC_TIME, "LC_TIME"},         {LC_COLLATE, "LC_COLLATE"},
    {LC_MONETARY, "LC_MONETARY"}, {LC_MESSAGES, "LC_MESSAGES"}};

enum { LONGEST_MIXED = 512 };

/// Appends the text; false when there is no room for it.
static bool append(char to[LONGEST_MIXED], const char *text) {
  return strlcat(to, text, LONGEST_MIXED) < LONGEST_MIXED;
}

/// The name of the whole locale: that of all categories, or
/// "LC_CTYPE=C.UTF-8;LC_NUMERIC=C" and so on.
static const char *whole_name(const struct __locale_t *locale) {
  bool mixed = false;
  for (int i = 1; i < LOCALE_CATEGORIES; ++i)
    mixed |= locale->names[i] != locale->names[0];
  if (!mixed)
    return locale->names[0];
  char text[LONGEST_MIXED] = "";
  for (int i = 0; i < LOCALE_CATEGORIES; ++i)
    if ((i && !append(text, ";")) || !append(text, categories[i].name) ||
        !append(text, "=") ||
        !append(text, locale->names[categories[i].category - 1]))
      return NULL;
  return __locale_keep(text);
}

/// Sets the category of one part, [at, end), of a mixed name, and its bit in
/// *done. Categories that only glibc has (LC_PAPER ...) are accepted and
/// ignored.
static bool set_part(struct __locale_t *to, const char *at, const char *end,
                     unsigned *done) {
  char name[LONGEST_MIXED];
  const char *equals = memchr(at, '=', (size_t)(end - at));
  if (!equals || end - equals > LONGEST_MIXED)
    return false;
  const size_t size = (size_t)(end - equals - 1);
  memcpy(name, equals + 1, size);
  name[size] = 0;
  for (int i = 0; i < LOCALE_CATEGORIES; ++i)
    if (strlen(categories[i].name) == (size_t)(equals - at) &&
        !strncmp(categories[i].name, at, (size_t)(equals - at))) {
      const int category = categories[i].category;
      *done |= 1u << category;
      return (to->names[category - 1] = __locale_find(category, name)) != NULL;
    }
  return __locale_find(LC_CTYPE, name) != NULL;
}

/// Sets all categories from a mixed name as whole_name() makes it. False if one
/// is missing or unknown.
static bool set_mixed(struct __locale_t *to, const char *name) {
  unsigned done = 0;
  for (const char *at = name; *at;) {
    const char *end = strchrnul(at, ';');
    if (!set_part(to, at, end, &done))
      return false;
    at = end + (*end != 0);
  }
  return done == (2u << LOCALE_CATEGORIES) - 2;
}

char *setlocale(int category, const char *name) {
  if (category < LC_ALL || category > LOCALE_CATEGORIES)
    return NULL;
  struct __locale_t wanted = __global_locale;
  if (name && category == LC_ALL && strchr(name, ';')) {
    if (!set_mixed(&wanted, name))
      return NULL;
  } else if (name) {
    for (int i = 1; i <= LOCALE_CATEGORIES; ++i)
      if ((category == LC_ALL || category == i) &&
          !(wanted.names[i - 1] = __locale_find(i, name)))
        return NULL;
  }
  const char *result =
      category == LC_ALL ? whole_name(&wanted) : wanted.names[category - 1];
  if (name && result) {
    __global_locale = wanted;
    if (__locale_has_utf8(&wanted))
      __locale_any_utf8 = true;
  }
  return (char *)result;
}
