//===-- libc-shim/wide/classes.c - What a wide character is ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iswalpha() and its neighbours. In the C locale characters beyond ASCII are in
// no class; in others Unicode's tables decide, with glibc's rules.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/wide/unicode.h"
#include <ctype.h>
#include <string.h>
#include <wctype.h>

/// The UNICODE_* bits of a character beyond ASCII; 0 if `c` is no character.
static __attribute__((noinline)) uint32_t bits_of(uint32_t c) {
  return c <= UNICODE_LAST ? unicode_properties_of(c)->bits : 0;
}

// Defines the test behind iswNAME() and iswNAME_l(). `beyond` is the condition
// for a character beyond ASCII whose UNICODE_* bits are `bits`.
#define CLASS(name, beyond)                                                    \
  static inline int test_##name(uint32_t c, bool utf8) {                       \
    if (c < 0x80)                                                              \
      return name((int)c);                                                     \
    if (!utf8)                                                                 \
      return 0;                                                                \
    const uint32_t bits = bits_of(c);                                          \
    return (beyond) != 0;                                                      \
  }
#define HAS(bit) (bits & UNICODE_##bit)
#define IS_GRAPH (HAS(PRINT) && !HAS(SPACE))
CLASS(isalnum, HAS(ALPHA))
CLASS(isalpha, HAS(ALPHA))
CLASS(isblank, HAS(BLANK))
CLASS(iscntrl, HAS(CONTROL))
CLASS(isdigit, bits & 0)
CLASS(isgraph, IS_GRAPH)
CLASS(islower, HAS(LOWER))
CLASS(isprint, HAS(PRINT))
CLASS(ispunct, IS_GRAPH && !HAS(ALPHA))
CLASS(isspace, HAS(SPACE))
CLASS(isupper, HAS(UPPER))
CLASS(isxdigit, bits & 0)

#define FUNCTIONS(name)                                                        \
  int isw##name(wint_t c) { return test_is##name(c, locale_is_utf8()); }       \
  int isw##name##_l(wint_t c, locale_t locale) {                               \
    return test_is##name(c, locale_is_utf8_l(locale));                         \
  }
FUNCTIONS(alnum)
FUNCTIONS(alpha)
FUNCTIONS(blank)
FUNCTIONS(cntrl)
FUNCTIONS(digit)
FUNCTIONS(graph)
FUNCTIONS(lower)
FUNCTIONS(print)
FUNCTIONS(punct)
FUNCTIONS(space)
FUNCTIONS(upper)
FUNCTIONS(xdigit)

//===-- Classes by name ---------------------------------------------------===//

// A wctype_t is one of these numbers plus one.
enum {
  ALNUM,
  ALPHA,
  BLANK,
  CNTRL,
  DIGIT,
  GRAPH,
  LOWER,
  PRINT,
  PUNCT,
  SPACE,
  UPPER,
  XDIGIT,
  COMBINING,
  COMBINING_LEVEL3,
  CLASS_COUNT,
  EVERYWHERE = COMBINING ///< the C locale has only the classes before this
};
static const char names[CLASS_COUNT][17] = {
    "alnum", "alpha",  "blank",     "cntrl",           "digit",
    "graph", "lower",  "print",     "punct",           "space",
    "upper", "xdigit", "combining", "combining_level3"};

static wctype_t find(const char *name, bool utf8) {
  for (int i = 0; i < (utf8 ? CLASS_COUNT : EVERYWHERE); ++i)
    if (!strcmp(names[i], name))
      return i + 1;
  return 0;
}
wctype_t wctype(const char *name) { return find(name, locale_is_utf8()); }
wctype_t wctype_l(const char *name, locale_t locale) {
  return find(name, locale_is_utf8_l(locale));
}

static int test(uint32_t c, wctype_t class, bool utf8) {
  switch (class - 1) {
  case ALNUM:
    return test_isalnum(c, utf8);
  case ALPHA:
    return test_isalpha(c, utf8);
  case BLANK:
    return test_isblank(c, utf8);
  case CNTRL:
    return test_iscntrl(c, utf8);
  case DIGIT:
    return test_isdigit(c, utf8);
  case GRAPH:
    return test_isgraph(c, utf8);
  case LOWER:
    return test_islower(c, utf8);
  case PRINT:
    return test_isprint(c, utf8);
  case PUNCT:
    return test_ispunct(c, utf8);
  case SPACE:
    return test_isspace(c, utf8);
  case UPPER:
    return test_isupper(c, utf8);
  case XDIGIT:
    return test_isxdigit(c, utf8);
  case COMBINING:
    return utf8 && (bits_of(c) & UNICODE_COMBINING) != 0;
  case COMBINING_LEVEL3:
    return utf8 && (bits_of(c) & UNICODE_COMBINING_LEVEL3) != 0;
  }
  return 0;
}
int iswctype(wint_t c, wctype_t class) {
  return test(c, class, locale_is_utf8());
}
int iswctype_l(wint_t c, wctype_t class, locale_t locale) {
  return test(c, class, locale_is_utf8_l(locale));
}
