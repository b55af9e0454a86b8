// string.h's copies, fills, comparisons and searches against plain loops: every size to 130 at every alignment of both
// sides, overlapping either way; nothing beyond may change.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -fno-builtin -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#include "libc_test.h"

enum { ROOM = 256, MOST = 130 };
static int sign(int x) { return (x > 0) - (x < 0); }

static void run(struct test *t) {
  unsigned char from[ROOM], to[ROOM], expected[ROOM];
  unsigned state = 1;
  for (int size = 0; size <= MOST; ++size) {
    unsigned long wrong = 0;
    for (int x = 0; x < 8; ++x) {
      const int y = (size * 3 + x * 5) % 8;
      for (int i = 0; i < ROOM; ++i) {
        state = state * 1103515245 + 12345;
        from[i] = (unsigned char)(1 + (state >> 20) % 9);
        to[i] = expected[i] = (unsigned char)(i * 7);
      }
      for (int i = 0; i < size; ++i)
        expected[40 + x + i] = from[40 + y + i];
      wrong += memcpy(to + 40 + x, from + 40 + y, size) != to + 40 + x;
      for (int i = 0; i < ROOM; ++i)
        wrong += to[i] != expected[i];
      const int distance = (size * 7 + x * 11) % 61 - 30;
      for (int i = 0; i < size; ++i)
        expected[40 + x + distance + i] = to[40 + x + i];
      memmove(to + 40 + x + distance, to + 40 + x, size);
      for (int i = 0; i < ROOM; ++i)
        wrong += to[i] != expected[i];
      for (int i = 0; i < size; ++i)
        expected[40 + y + i] = (unsigned char)(200 + x);
      memset(to + 40 + y, 200 + x, size);
      for (int i = 0; i < ROOM; ++i)
        wrong += to[i] != expected[i];
      from[40 + x + size] = 0;
      wrong += strlen((char *)from + 40 + x) != (size_t)size;
      for (int c = 0; c < 11; ++c) {
        const unsigned char *found = NULL;
        for (int i = size; i-- > 0;)
          if (from[40 + x + i] == c)
            found = from + 40 + x + i;
        wrong += memchr(from + 40 + x, c, size) != found;
      }
      memcpy(to + 40 + y, from + 40 + x, size);
      wrong += memcmp(to + 40 + y, from + 40 + x, size) != 0;
      if (size) {
        const int at = (size * 13 + x) % size;
        to[40 + y + at] ^= 128;
        wrong += sign(memcmp(to + 40 + y, from + 40 + x, size)) != 1;
        wrong += sign(memcmp(from + 40 + x, to + 40 + y, size)) != -1;
      }
    }
    out(t, "%d: %lu wrong", size, wrong);
  }
  char text[] = "to the end of memory";
  out(t, "%td", (char *)memchr(text + 1, 'm', (size_t)-1) - text);
}
