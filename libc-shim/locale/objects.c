//===-- libc-shim/locale/objects.c - Locales of threads -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlocale() and its neighbours. See state.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/names.h"
#include "libc-shim/locale/state.h"
#include <errno.h>
#include <reent.h>
#include <stdlib.h>

// The bits of all categories. LC_ALL_MASK is another bit.
enum { EVERY = (2 << LOCALE_CATEGORIES) - 2 };

static locale_t fail(int error) {
  errno = error;
  return NULL;
}

locale_t newlocale(int categories, const char *name, locale_t base) {
  if ((categories & ~(EVERY | LC_ALL_MASK)) || !name)
    return fail(EINVAL);
  if (categories & LC_ALL_MASK)
    categories = EVERY;
  struct __locale_t wanted = {
      {__locale_c, __locale_c, __locale_c, __locale_c, __locale_c, __locale_c}};
  if (base)
    wanted = *base;
  for (int i = 1; i <= LOCALE_CATEGORIES; ++i)
    if (categories >> i & 1 && !(wanted.names[i - 1] = __locale_find(i, name)))
      return fail(ENOENT);
  locale_t result = base ? base : malloc(sizeof *result);
  if (!result)
    return fail(ENOMEM);
  *result = wanted;
  if (__locale_has_utf8(result))
    __locale_any_utf8 = true;
  return result;
}

locale_t duplocale(locale_t locale) {
  locale_t result = malloc(sizeof *result);
  if (!result)
    return fail(ENOMEM);
  *result = locale == LC_GLOBAL_LOCALE ? __global_locale : *locale;
  return result;
}

void freelocale(locale_t locale) { free(locale); }

locale_t uselocale(locale_t locale) {
  struct _reent *own = _REENT;
  locale_t before = own->_locale;
  if (locale) {
    own->_locale = locale == LC_GLOBAL_LOCALE ? NULL : locale;
    __locale_of_threads = true;
  }
  return before ? before : LC_GLOBAL_LOCALE;
}
