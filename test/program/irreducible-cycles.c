// gotos enter cycles of blocks at several places. A block of the cycle branches to two of them: LLVM 22's FixIrreducible gave one
// the values of an earlier time, and Debian's flac could not decode (toolchain/passes/fixes/split_cycle_entries.cpp).
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 3 s; do %gpucc -O$level %s -o %t && %run %t | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
// RUN: %gpucc -O1 -fno-lto %s -o %t && %run %t | diff %t.expected -
#include <stdio.h>

/// A text that comes in portions of three letters: text[used] to text[count - 1] are there.
struct source {
  const char *text;
  unsigned used, count, size;
};

/// Reads digits up to the one letter behind them; 0 at the end of the text.
__attribute__((noinline)) static int read_number(struct source *source, unsigned *number) {
  while (source->used < source->size) {
    if (source->used >= source->count)
      source->count = source->count + 3 < source->size ? source->count + 3 : source->size;
    const char letter = source->text[source->used++];
    if (letter < '0')
      return 1;
    *number = *number * 10 + (unsigned)(letter - '0');
  }
  return 0;
}

/// Reads pairs "1.2 ", fast while they are in the portion that is there; 0 at the end of the text.
__attribute__((noinline)) static int read_pairs(struct source *source, int *value, unsigned pairs) {
  int *const end = value + pairs;
  unsigned used = source->used, count = source->count, first = 0, second;
  if (used >= count)
    goto slowly;
  while (value < end) {
    for (first = 0;; first = first * 10 + (unsigned)(source->text[used++] - '0')) {
      if (used >= count)
        goto first_is_cut;
      if (source->text[used] < '0')
        break;
    }
    ++used;
    for (second = 0;; second = second * 10 + (unsigned)(source->text[used++] - '0')) {
      if (used >= count)
        goto second_is_cut;
      if (source->text[used] < '0')
        break;
    }
    ++used;
    *value++ = (int)(first * 100 - second);
    continue;
  slowly:
    do {
      if (0) {
      first_is_cut:
        source->used = used;
      }
      if (!read_number(source, &first))
        return 0;
      second = 0;
      if (0) {
      second_is_cut:
        source->used = used;
      }
      if (!read_number(source, &second))
        return 0;
      *value++ = (int)(first * 100 - second);
      first = 0;
      used = source->used;
      count = source->count;
    } while (used >= count && value < end);
  }
  source->used = used;
  return 1;
}

int main(void) {
  static const char text[] = "1.2 30.4 555.6 7.88 9.9 1.0 2.0 3.0 4.44444 55555.6 7.8 9.1 2.3 4.5 6.7 8.9 1.2 3.4 5.6 ";
  for (unsigned pairs = 1; pairs < 6; ++pairs) {
    struct source source = {text, 0, 0, sizeof text - 1};
    int values[6];
    while (read_pairs(&source, values, pairs))
      for (unsigned i = 0; i < pairs; ++i)
        printf("%d ", values[i]);
    printf("in %u at %u\n", pairs, source.used);
  }
  return 0;
}
