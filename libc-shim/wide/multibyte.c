//===-- libc-shim/wide/multibyte.c - Multibyte characters -----------------===//
// In the C locale a character is one byte of ASCII. Every other byte and wide
// character is EILSEQ; newlib's own functions accept all bytes. mbstate_t holds
// nothing.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <locale.h>
#include <reent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static const size_t INVALID = (size_t)-1, INCOMPLETE = (size_t)-2;

static size_t invalid(void) {
  errno = EILSEQ;
  return INVALID;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t size,
               mbstate_t *restrict state) {
  (void)state;
  if (!from)
    return 0;
  if (!size)
    return INCOMPLETE;
  const unsigned char byte = (unsigned char)*from;
  if (byte > 0x7f)
    return invalid();
  if (to)
    *to = byte;
  return byte != 0;
}
size_t mbrlen(const char *restrict from, size_t size,
              mbstate_t *restrict state) {
  return mbrtowc(NULL, from, size, state);
}
int mbtowc(wchar_t *restrict to, const char *restrict from, size_t size) {
  return from && !size ? -1 : (int)mbrtowc(to, from, size, NULL);
}
int mblen(const char *from, size_t size) { return mbtowc(NULL, from, size); }

size_t wcrtomb(char *restrict to, wchar_t wide, mbstate_t *restrict state) {
  (void)state;
  if (!to)
    return 1;
  if ((unsigned)wide > 0x7f)
    return invalid();
  *to = (char)wide;
  return 1;
}
int wctomb(char *to, wchar_t wide) {
  return to ? (int)wcrtomb(to, wide, NULL) : 0;
}

int mbsinit(const mbstate_t *state) {
  (void)state;
  return 1;
}
wint_t btowc(int byte) { return (unsigned)byte > 0x7f ? WEOF : (wint_t)byte; }
int wctob(wint_t wide) { return (unsigned)wide > 0x7f ? EOF : (int)wide; }

//===-- Strings -----------------------------------------------------------===//

/// Converts up to `most` characters. Those of `from` and of `to` have different
/// widths, `widen` says which way. With `to`, *from becomes the place behind
/// the last one that was converted, or null after the end of the text.
static size_t convert(void *to, const void **from, size_t most, size_t size,
                      bool widen) {
  size_t done = 0;
  unsigned character = 1;
  for (; (!to || done < size) && done < most; ++done) {
    character = widen ? ((const unsigned char *)*from)[done]
                      : (unsigned)((const wchar_t *)*from)[done];
    if (character > 0x7f)
      break;
    if (to && widen)
      ((wchar_t *)to)[done] = (wchar_t)character;
    else if (to)
      ((char *)to)[done] = (char)character;
    if (!character)
      break;
  }
  if (to)
    *from = character ? (const char *)*from +
                            done * (widen ? sizeof(char) : sizeof(wchar_t))
                      : NULL;
  return character > 0x7f ? invalid() : done;
}

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t most,
                  size_t size, mbstate_t *restrict state) {
  (void)state;
  return convert(to, (const void **)from, most, size, true);
}
size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t size,
                 mbstate_t *restrict state) {
  return mbsnrtowcs(to, from, (size_t)-1, size, state);
}
size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t size) {
  const char *at = from;
  return mbsrtowcs(to, &at, size, NULL);
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t most,
                  size_t size, mbstate_t *restrict state) {
  (void)state;
  return convert(to, (const void **)from, most, size, false);
}
size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t size,
                 mbstate_t *restrict state) {
  return wcsnrtombs(to, from, (size_t)-1, size, state);
}
size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t size) {
  const wchar_t *at = from;
  return wcsrtombs(to, &at, size, NULL);
}

/// newlib's wcstod() reads a number from this text. A character that is not
/// ASCII becomes a question mark, which ends a number as well.
size_t _wcsnrtombs_l(struct _reent *reent, char *to, const wchar_t **from,
                     size_t most, size_t size, mbstate_t *state,
                     locale_t locale) {
  (void)reent, (void)state, (void)locale;
  size_t done = 0;
  for (; (!to || done < size) && done < most; ++done) {
    const wchar_t wide = (*from)[done];
    if (to)
      to[done] = (unsigned)wide > 0x7f ? '?' : (char)wide;
    if (!wide) {
      if (to)
        *from = NULL;
      return done;
    }
  }
  if (to)
    *from += done;
  return done;
}
