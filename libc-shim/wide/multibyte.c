//===-- libc-shim/wide/multibyte.c - Multibyte characters -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the C locale a character is one byte of ASCII, and mbstate_t is not used.
// Any other byte or wide character is an error (EILSEQ), while newlib's own
// functions accept all bytes. In other locales characters are UTF-8
// (utf8_decode.c).
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <errno.h>
#include <reent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static size_t invalid(void) {
  errno = EILSEQ;
  return CONVERSION_INVALID;
}

/// mbrtowc() in UTF-8. A null `state` means the thread's state `own`.
static size_t utf8_mbrtowc(wchar_t *to, const char *from, size_t size,
                           mbstate_t *state, enum own_conversion own) {
  wchar_t wide = 0;
  if (!state && !(state = __own_conversion(own)))
    return CONVERSION_INVALID;
  if (!from)
    to = NULL, from = "", size = 1;
  const size_t result = __utf8_decode(&wide, from, size, state);
  if (to && result <= UTF8_MOST_BYTES)
    *to = wide;
  return result == 1 && !wide ? 0 : result;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t size,
               mbstate_t *restrict state) {
  if (locale_is_utf8())
    return utf8_mbrtowc(to, from, size, state, OWN_MBRTOWC);
  if (!from)
    return 0;
  if (!size)
    return CONVERSION_INCOMPLETE;
  const unsigned char byte = (unsigned char)*from;
  if (byte > 0x7f)
    return invalid();
  if (to)
    *to = byte;
  return byte != 0;
}
size_t mbrlen(const char *restrict from, size_t size,
              mbstate_t *restrict state) {
  if (locale_is_utf8())
    return utf8_mbrtowc(NULL, from, size, state, OWN_MBRLEN);
  return mbrtowc(NULL, from, size, state);
}
// For these two an incomplete character is an error, and no state is kept.
int mbtowc(wchar_t *restrict to, const char *restrict from, size_t size) {
  mbstate_t state = {0};
  if (!from)
    return 0;
  const size_t result = size ? mbrtowc(to, from, size, &state) : invalid();
  return result == CONVERSION_INCOMPLETE ? (int)invalid() : (int)result;
}
int mblen(const char *from, size_t size) { return mbtowc(NULL, from, size); }

size_t wcrtomb(char *restrict to, wchar_t wide, mbstate_t *restrict state) {
  if (locale_is_utf8()) {
    if (!to && state)
      memset(state, 0, sizeof *state);
    if (!to)
      return 1;
    const int length =
        state && state->__count ? 0 : utf8_encode(to, (uint32_t)wide);
    return length ? (size_t)length : invalid();
  }
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
  return !locale_is_utf8() || !state || !state->__count;
}
// A byte that is a character is ASCII in every locale.
wint_t btowc(int byte) { return (unsigned)byte > 0x7f ? WEOF : (wint_t)byte; }
int wctob(wint_t wide) { return (unsigned)wide > 0x7f ? EOF : (int)wide; }

//===-- Strings -----------------------------------------------------------===//

/// mbsnrtowcs() (`widen`) and wcsnrtombs() in the C locale: converts up to
/// `most` characters, and at most `size` if `to` is not null. With `to`, *from
/// becomes the address behind the last character converted, or null after the
/// end of the text.
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

/// mbsnrtowcs() in UTF-8. Without `to` neither *from nor *state changes.
static size_t utf8_mbsnrtowcs(wchar_t *to, const char **from, size_t most,
                              size_t size, mbstate_t *state) {
  if (!state && !(state = __own_conversion(OWN_MBSRTOWCS)))
    return CONVERSION_INVALID;
  mbstate_t copy = *state, *const now = to ? state : &copy;
  const char *at = *from;
  size_t done = 0;
  wchar_t wide = 1;
  while (most && (!to || done < size) && wide) {
    const size_t used = __utf8_decode(&wide, at, most, now);
    if (used == CONVERSION_INVALID) {
      if (to)
        *from = at;
      return used;
    }
    if (used == CONVERSION_INCOMPLETE) {
      at += most;
      break;
    }
    at += used;
    most -= used;
    if (to)
      to[done] = wide;
    done += wide != 0;
  }
  if (to)
    *from = wide ? at : NULL;
  return done;
}

/// wcsnrtombs() in UTF-8. Without `to`, *from does not change.
static size_t utf8_wcsnrtombs(char *to, const wchar_t **from, size_t most,
                              size_t size) {
  const wchar_t *at = *from;
  size_t done = 0;
  for (; most; --most, ++at) {
    char bytes[UTF8_MOST_BYTES];
    const size_t length = (size_t)utf8_encode(bytes, (uint32_t)*at);
    if (to && length > size - done)
      break;
    if (!length) {
      if (to)
        *from = at;
      return invalid();
    }
    if (to)
      memcpy(to + done, bytes, length);
    if (!*at) {
      at = NULL;
      break;
    }
    done += length;
  }
  if (to)
    *from = at;
  return done;
}

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t most,
                  size_t size, mbstate_t *restrict state) {
  if (locale_is_utf8())
    return utf8_mbsnrtowcs(to, from, most, size, state);
  return convert(to, (const void **)from, most, size, true);
}
size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t size,
                 mbstate_t *restrict state) {
  return mbsnrtowcs(to, from, (size_t)-1, size, state);
}
size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t size) {
  const char *at = from;
  mbstate_t state = {0};
  return mbsrtowcs(to, &at, size, &state);
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t most,
                  size_t size, mbstate_t *restrict state) {
  (void)state;
  if (locale_is_utf8())
    return utf8_wcsnrtombs(to, from, most, size);
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

/// newlib's wcstod() converts its text by this function and reads the number
/// from the result. A character beyond ASCII becomes a question mark, which
/// ends a number too.
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
