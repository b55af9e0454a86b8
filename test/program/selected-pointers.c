// A pointer selects between a local variable and memory from malloc. The link overlooked the memory and read the stack: Debian's
// par faulted.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 3 s; do %gpucc -O$level %s -o %t && %run %t | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdio.h>
#include <stdlib.h>

struct line {
  short prefix, suffix;
  unsigned char flags;
  char rest;
};

/// Clears bit 3 of the longest blank line (they come in groups) in front of each text.
__attribute__((noinline)) static void mark(const char *const *text, const char *const *end, struct line *lines) {
  struct line none = {0}, *last = &none;
  int inside = 0, most = 0;
  for (; text < end; ++text, ++lines)
    if ((lines->flags & 1) && lines->rest == ' ') {
      int number = 0;
      for (const char *letter = *text; *letter; ++letter)
        number += *letter != ' ';
      if (inside || number < most) {
        most = number;
        last = lines;
      }
      inside = 0;
    } else {
      if (!inside)
        last->flags &= ~8;
      inside = 1;
    }
}

int main(void) {
  static const char *const text[] = {"one", "", "two", "", "", "x", ""};
  enum { COUNT = sizeof text / sizeof *text };
  struct line *lines = malloc(COUNT * sizeof *lines);
  for (int i = 0; i < COUNT; ++i)
    lines[i] = (struct line){i, i, *text[i] ? 8 : 9, *text[i] ? 'x' : ' '};
  mark(text, text + COUNT, lines);
  for (int i = 0; i < COUNT; ++i)
    printf("%d: %d\n", i, lines[i].flags);
  free(lines);
  return 0;
}
