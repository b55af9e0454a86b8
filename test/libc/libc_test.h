// What the conformance programs share. Each is plain C: compiled for the host it prints what its C library does, which is
// what the device must print, byte for byte. With the last line as its arguments it prints nothing and every thread of the
// grid compares its own results with that checksum: the same program in 4096 threads at once.
//
// A program of which 4096 copies take too long says SLICES and is divided by section(): the last line has a checksum for
// each slice, waves take the slices in turn, and all slices together are the whole text. With 4096 threads and 16 slices
// every case still runs in 256 threads at once, beside others.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SLICES
#define SLICES 1
#endif

struct test {
  unsigned long checksums[SLICES]; // printing: of each slice; quiet: the thread's own alone
  unsigned next, now;              // sections so far; the slice of the one that runs
  int mine;                        // the only slice to run, or -1: all of them, printed
};

static void out(struct test *t, const char *format, ...) {
  char text[1200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  unsigned long sum = t->checksums[t->now];
  for (const char *c = text; *c; ++c)
    sum = (sum ^ (unsigned char)*c) * 1099511628211ul;
  t->checksums[t->now] = sum;
  if (t->mine < 0)
    puts(text);
}

// Begins the next part of the program; whether this thread is to run it.
static inline int section(struct test *t) {
  t->now = t->next++ % SLICES;
  return t->mine < 0 || t->now == (unsigned)t->mine;
}

static void run(struct test *t);

// What main() is, for a program that has more to do.
static inline int test_main(int argc, char **argv) {
  static unsigned threads;
  struct test t = {.mine = -1};
  for (int i = 0; i < SLICES; ++i)
    t.checksums[i] = 14695981039346656037ul;
  if (argc > SLICES) {
    const unsigned thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    t.mine = (int)(thread / 64 % SLICES);
    run(&t);
    return t.checksums[t.mine] != strtoul(argv[1 + t.mine], NULL, 16);
  }
  run(&t);
  for (int i = 0; i < SLICES; ++i)
    printf("%016lx%s", t.checksums[i], i + 1 < SLICES ? " " : "\n");
  return 0;
}

#ifndef OWN_MAIN
int main(int argc, char **argv) { return test_main(argc, argv); }
#endif
