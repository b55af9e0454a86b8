//===-- libc-shim/strings/string_sets.c - strspn and its neighbours -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of bytes is a bitmap of 256 bits: one test per byte of the text.
//===----------------------------------------------------------------------===//
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint64_t bits[4];
} byte_set;

static byte_set make_set(const char *members) {
  byte_set set = {{0}};
  for (; *members; ++members) {
    unsigned char c = (unsigned char)*members;
    uint64_t bit = 1ull << c % 64;
    // No variable index, so that the bitmap stays in registers.
    set.bits[0] |= c / 64 == 0 ? bit : 0;
    set.bits[1] |= c / 64 == 1 ? bit : 0;
    set.bits[2] |= c / 64 == 2 ? bit : 0;
    set.bits[3] |= c / 64 == 3 ? bit : 0;
  }
  return set;
}

static bool has(const byte_set *set, unsigned char c) {
  uint64_t low = c & 64 ? set->bits[1] : set->bits[0];
  uint64_t high = c & 64 ? set->bits[3] : set->bits[2];
  return ((c & 128 ? high : low) >> c % 64) & 1;
}

size_t strspn(const char *text, const char *accepted) {
  byte_set set = make_set(accepted);
  size_t size = 0;
  while (text[size] && has(&set, (unsigned char)text[size]))
    ++size;
  return size;
}

size_t strcspn(const char *text, const char *rejected) {
  byte_set set = make_set(rejected);
  size_t size = 0;
  while (text[size] && !has(&set, (unsigned char)text[size]))
    ++size;
  return size;
}

char *strpbrk(const char *text, const char *wanted) {
  text += strcspn(text, wanted);
  return *text ? (char *)text : NULL;
}

char *strtok_r(char *restrict text, const char *restrict separators,
               char **restrict rest) {
  char *at = text ? text : *rest;
  at += strspn(at, separators);
  if (!*at) {
    *rest = at;
    return NULL;
  }
  char *end = at + strcspn(at, separators);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return at;
}

char *strsep(char **restrict rest, const char *restrict separators) {
  char *text = *rest;
  if (!text)
    return NULL;
  char *end = text + strcspn(text, separators);
  *rest = *end ? end + 1 : NULL;
  *end = 0;
  return text;
}
