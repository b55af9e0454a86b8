// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Looks for words in a text of 4 KiB by Horspool's method and, for the shortest, byte by byte; a unit is one pass with
   four words. */
#include "workload.h"
#include <string.h>

enum { LENGTH = 4096 };

static char text[LENGTH];

static unsigned horspool(const char *word, unsigned length) {
  unsigned char shift[128];
  unsigned found = 0;
  memset(shift, (int)length, sizeof shift);
  for (unsigned i = 0; i + 1 < length; i++)
    shift[word[i] & 127] = (unsigned char)(length - 1 - i);
  for (unsigned at = 0; at + length <= LENGTH; at += shift[text[at + length - 1] & 127]) {
    unsigned i = length;
    while (i && text[at + i - 1] == word[i - 1])
      i--;
    found += i == 0;
  }
  return found;
}

static unsigned plain(char a, char b) {
  unsigned found = 0;
  for (unsigned at = 0; at + 1 < LENGTH; at++)
    found += text[at] == a && text[at + 1] == b;
  return found;
}

static uint32_t work(uint32_t seed, unsigned units) {
  uint32_t state = 1;
  for (int i = 0; i < LENGTH; i++) /* every thread writes the same text */
    text[i] = "etaoin shrdlu, etaoin. the of and"[(state = state * 1664525u + 1013904223u) >> 27];
  uint32_t sum = 0;
  for (unsigned unit = 0; unit < units; unit++) {
    sum = sum * 31 + horspool("etao", 4 - (seed + unit) % 2);
    sum = sum * 31 + horspool("n shrd", 4 + (seed + unit) % 3);
    sum = sum * 31 + horspool(" the of and ", 12);
    sum = sum * 31 + plain("etao"[(seed + unit) % 4], 'n');
  }
  return sum;
}
