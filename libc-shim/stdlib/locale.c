//===-- libc-shim/stdlib/locale.c - The one locale as an object -----------===//
// The only locale is C, also called POSIX. newlib's newlocale() returns it for
// every name; this one fails for others.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <locale.h>
#include <string.h>

extern struct __locale_t __global_locale; // newlib's, the only one

enum { ALL = (1 << (LC_MESSAGES + 1)) - 1 }; // LC_ALL_MASK is a bit by itself

locale_t newlocale(int categories, const char *name, locale_t base) {
  (void)base;
  if ((categories & ~ALL) || !name) {
    errno = EINVAL;
    return NULL;
  }
  if (categories && *name && strcmp(name, "C") && strcmp(name, "POSIX")) {
    errno = ENOENT;
    return NULL;
  }
  return &__global_locale;
}
