//===-- libc-shim/wide/transliterate.c - Characters in ASCII --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iconv()'s //TRANSLIT: glibc's texts for spaces, dashes, quotation marks,
// ligatures and signs that are frequent in European texts.
//===----------------------------------------------------------------------===//
#include "libc-shim/wide/transliterate.h"
#include "libc-shim/wide/unicode.h"
#include <string.h>

static const struct {
  uint16_t first, last;
  char text[TRANSLITERATION_MOST + 1];
} texts[] = {
    {0xa0, 0xa0, " "},        {0xa9, 0xa9, "(C)"},     {0xab, 0xab, "<<"},
    {0xad, 0xad, "-"},        {0xae, 0xae, "(R)"},     {0xb5, 0xb5, "u"},
    {0xb8, 0xb8, ","},        {0xbb, 0xbb, ">>"},      {0xbc, 0xbc, " 1/4 "},
    {0xbd, 0xbd, " 1/2 "},    {0xbe, 0xbe, " 3/4 "},   {0xc6, 0xc6, "AE"},
    {0xd7, 0xd7, "x"},        {0xdf, 0xdf, "ss"},      {0xe6, 0xe6, "ae"},
    {0x132, 0x132, "IJ"},     {0x133, 0x133, "ij"},    {0x149, 0x149, "'n"},
    {0x152, 0x152, "OE"},     {0x153, 0x153, "oe"},    {0x17f, 0x17f, "s"},
    {0x2002, 0x2006, " "},    {0x2008, 0x200a, " "},   {0x200b, 0x200b, ""},
    {0x2010, 0x2013, "-"},    {0x2014, 0x2014, "--"},  {0x2015, 0x2015, "-"},
    {0x2018, 0x2019, "'"},    {0x201a, 0x201a, ","},   {0x201b, 0x201b, "'"},
    {0x201c, 0x201d, "\""},   {0x201e, 0x201e, ",,"},  {0x201f, 0x201f, "\""},
    {0x2020, 0x2020, "+"},    {0x2022, 0x2022, "o"},   {0x2024, 0x2024, "."},
    {0x2025, 0x2025, ".."},   {0x2026, 0x2026, "..."}, {0x202f, 0x202f, " "},
    {0x2039, 0x2039, "<"},    {0x203a, 0x203a, ">"},   {0x203c, 0x203c, "!!"},
    {0x2044, 0x2044, "/"},    {0x2060, 0x2060, ""},    {0x20ac, 0x20ac, "EUR"},
    {0x2122, 0x2122, "(TM)"}, {0x2190, 0x2190, "<-"},  {0x2192, 0x2192, "->"},
    {0x2194, 0x2194, "<->"},  {0x21d0, 0x21d0, "<="},  {0x21d2, 0x21d2, "=>"},
    {0x2212, 0x2212, "-"},    {0x2264, 0x2264, "<="},  {0x2265, 0x2265, ">="},
    {0xfb00, 0xfb00, "ff"},   {0xfb01, 0xfb01, "fi"},  {0xfb02, 0xfb02, "fl"},
    {0xfb03, 0xfb03, "ffi"},  {0xfb04, 0xfb04, "ffl"},
};

static char plain_letter(uint32_t c) {
  if (c - UNICODE_LATIN_FIRST < UNICODE_LATIN_COUNT)
    return __unicode_latin_letters[c - UNICODE_LATIN_FIRST];
  if (c - UNICODE_LATIN2_FIRST < UNICODE_LATIN2_COUNT)
    return __unicode_latin2_letters[c - UNICODE_LATIN2_FIRST];
  return 0;
}

void __transliterate(uint32_t c, bool letters,
                     char to[TRANSLITERATION_MOST + 1]) {
  const char letter = letters ? plain_letter(c) : 0;
  strcpy(to, "?");
  if (letter)
    *to = letter;
  for (size_t i = 0; !letter && i < sizeof texts / sizeof *texts; ++i)
    if (c >= texts[i].first && c <= texts[i].last)
      strcpy(to, texts[i].text);
}
