//===-- libc-shim/strings/fnmatch.c - Shell patterns ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX's fnmatch in the C locale, with GNU's flags. newlib's has no
// [[:classes:]]. There is no recursion: after a mismatch the last '*' matches
// one more character. Patterns with groups are in fnmatch_groups.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/strings/fnmatch_groups.h"
#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

static int fold(int c, int flags) {
  return flags & FNM_CASEFOLD ? tolower((unsigned char)c) : (unsigned char)c;
}

static bool in_class(const char *name, size_t size, int c) {
  static const char names[][7] = {"alnum", "alpha", "blank", "cntrl",
                                  "digit", "graph", "lower", "print",
                                  "punct", "space", "upper", "xdigit"};
  unsigned which = 0;
  while (which < sizeof names / sizeof *names &&
         (strlen(names[which]) != size || memcmp(names[which], name, size)))
    ++which;
  switch (which) {
  case 0:
    return isalnum(c);
  case 1:
    return isalpha(c);
  case 2:
    return isblank(c);
  case 3:
    return iscntrl(c);
  case 4:
    return isdigit(c);
  case 5:
    return isgraph(c);
  case 6:
    return islower(c);
  case 7:
    return isprint(c);
  case 8:
    return ispunct(c);
  case 9:
    return isspace(c);
  case 10:
    return isupper(c);
  case 11:
    return isxdigit(c);
  }
  return false;
}

/// Is `c` in the set that begins at *at, behind its '['? Moves *at behind the
/// ']'. -1 if there is no ']': then the '[' stands for itself.
static int in_set(const char **at, int c, int flags) {
  const char *p = *at;
  const bool invert = *p == '!' || *p == '^';
  p += invert;
  bool found = false;
  const int folded = fold(c, flags);
  for (const char *start = p; *p != ']' || p == start;) {
    if (!*p)
      return -1;
    if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
      const char end[] = {p[1], ']', 0}, *close = strstr(p + 2, end);
      if (close) {
        if (p[1] == ':')
          found |= in_class(p + 2, (size_t)(close - p - 2), c);
        else
          found |= close == p + 3 && fold(p[2], flags) == folded;
        p = close + 2;
        continue;
      }
    }
    if (*p == '\\' && !(flags & FNM_NOESCAPE) && p[1])
      ++p;
    const char *low = p++;
    int high = fold(*low, flags);
    if (*p == '-' && p[1] && p[1] != ']') {
      ++p;
      if (*p == '\\' && !(flags & FNM_NOESCAPE) && p[1])
        ++p;
      high = fold(*p++, flags);
    }
    found |= fold(*low, flags) <= folded && folded <= high;
  }
  *at = p + 1;
  return found != invert;
}

bool __fnmatch_one(const char **pattern, const char *text, const char *start,
                   int flags) {
  const char *p = *pattern;
  const int c = (unsigned char)*text;
  const bool plain = !fnmatch_is_hidden(text, start, flags) &&
                     !(c == '/' && flags & FNM_PATHNAME);
  *pattern = p + 1;
  if (*p == '?')
    return plain;
  if (*p == '[') {
    const char *behind = p + 1;
    const int found = in_set(&behind, c, flags);
    if (found < 0)
      return c == '[';
    *pattern = behind;
    return found && plain;
  }
  if (*p == '\\' && !(flags & FNM_NOESCAPE)) {
    if (!*++p)
      return false;
    *pattern = p + 1;
  }
  return fold(*p, flags) == fold(c, flags);
}

int fnmatch(const char *pattern, const char *text, int flags) {
  if (flags & FNM_EXTMATCH && strchr(pattern, '('))
    return __fnmatch_groups(pattern, text, flags);
  const char *const start = text;
  const char *star = NULL, *star_text = NULL; // where to go on after a mismatch
  for (;;) {
    if (*pattern == '*' && !fnmatch_is_hidden(text, start, flags)) {
      star = ++pattern;
      star_text = text;
      continue;
    }
    if (!*pattern && fnmatch_ends(text, flags))
      return 0;
    if (*pattern && *pattern != '*' && *text &&
        __fnmatch_one(&pattern, text, start, flags)) {
      ++text;
      continue;
    }
    if (!star || !*star_text || (*star_text == '/' && flags & FNM_PATHNAME))
      return FNM_NOMATCH;
    text = ++star_text;
    pattern = star;
  }
}
