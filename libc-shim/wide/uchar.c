//===-- libc-shim/wide/uchar.c - UTF-16 and UTF-32 ------------------------===//
// C17's <uchar.h> on top of the wide functions: wchar_t is UTF-32, and in the C
// locale no character needs two units of UTF-16.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <uchar.h>

// For a null state each function has its own, which is empty in the C locale.
size_t mbrtoc32(char32_t *restrict to, const char *restrict from, size_t size,
                mbstate_t *restrict state) {
  mbstate_t own = {0};
  wchar_t wide;
  size_t result = mbrtowc(from ? &wide : NULL, from ? from : "",
                          from ? size : 1, state ? state : &own);
  if (from && to && result <= size)
    *to = (char32_t)wide;
  return result;
}

size_t mbrtoc16(char16_t *restrict to, const char *restrict from, size_t size,
                mbstate_t *restrict state) {
  char32_t wide;
  size_t result = mbrtoc32(&wide, from, size, state);
  if (from && to && result <= size)
    *to = (char16_t)wide;
  return result;
}

size_t c32rtomb(char *restrict to, char32_t c, mbstate_t *restrict state) {
  mbstate_t own = {0};
  return wcrtomb(to, to ? (wchar_t)c : 0, state ? state : &own);
}

size_t c16rtomb(char *restrict to, char16_t c, mbstate_t *restrict state) {
  return c32rtomb(to, c, state);
}
