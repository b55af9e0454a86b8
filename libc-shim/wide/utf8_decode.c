//===-- libc-shim/wide/utf8_decode.c - UTF-8, byte by byte ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See conversion.h. As in glibc, a character that has too many bytes or is a
// surrogate is invalid once its last byte is there, not before.
//===----------------------------------------------------------------------===//
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <errno.h>
#include <reent.h>

size_t __utf8_decode(wchar_t *to, const char *from, size_t size,
                     mbstate_t *state) {
  unsigned missing = (unsigned)state->__count & 15;
  unsigned length = (unsigned)state->__count >> 4;
  uint32_t value = state->__value.__wch;
  size_t used = 0;
  if (!size)
    return CONVERSION_INCOMPLETE;
  if (!missing) {
    const unsigned char first = (unsigned char)from[used++];
    length = (unsigned)utf8_announced(first);
    if (!length) {
      errno = EILSEQ;
      return CONVERSION_INVALID;
    }
    missing = length - 1;
    value = length == 1 ? first : first & (0x7fu >> length);
  }
  for (; missing && used < size; ++used, --missing) {
    if ((from[used] & 0xc0) != 0x80) {
      errno = EILSEQ;
      return CONVERSION_INVALID;
    }
    value = value << 6 | (from[used] & 0x3f);
  }
  if (missing) {
    state->__count = (int)(length << 4 | missing);
    state->__value.__wch = value;
    return CONVERSION_INCOMPLETE;
  }
  if (utf8_length(value) != (int)length) {
    errno = EILSEQ;
    return CONVERSION_INVALID;
  }
  state->__count = 0;
  state->__value.__wch = 0;
  if (to)
    *to = (wchar_t)value;
  return used;
}

mbstate_t *__own_conversion(enum own_conversion which) {
  struct _reent *own = _REENT;
  if (!own->_misc)
    own->_misc = calloc(1, sizeof *own->_misc);
  if (!own->_misc)
    return NULL;
  switch (which) {
  case OWN_MBRTOWC:
    return &own->_misc->_mbrtowc_state;
  case OWN_MBRLEN:
    return &own->_misc->_mbrlen_state;
  case OWN_MBSRTOWCS:
    return &own->_misc->_mbsrtowcs_state;
  case OWN_MBRTOC16: // newlib's mbtowc() and mblen() are not in the library
    return &own->_misc->_mbtowc_state;
  case OWN_MBRTOC32:
    return &own->_misc->_mblen_state;
  case OWN_C16RTOMB:
    return &own->_misc->_wctomb_state;
  case OWN_MBRTOC8: // nor are its wcrtomb() and wcsrtombs()
    return &own->_misc->_wcrtomb_state;
  case OWN_C8RTOMB:
    return &own->_misc->_wcsrtombs_state;
  }
  return NULL;
}
