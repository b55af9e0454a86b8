// What the conformance programs share. Each is plain C. Compiled for the host, it prints what the host's C library computes;
// the device must print the same, byte for byte. With the last line as its arguments it prints nothing, and every thread of
// the grid compares its own results with that line: the same program in 4096 threads at once.
//
// The last line has a word for each slice, "CHECKSUM:TRAIL". The trail has two hexadecimal digits per line of output, the
// low byte of the checksum after that line: it tells which line of which thread was the first to differ.
//
// A program of which 4096 copies take too long says SLICES and is divided by section(). Waves take the slices in turn, and
// all slices together are the whole text. With 4096 threads and 16 slices every case still runs in 256 threads at once,
// beside others.
#include "../Inputs/expect.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SLICES
#define SLICES 1
#endif

struct slice {
  unsigned long checksum;
  unsigned lines;
  char *trail; // printing: of the lines so far, from malloc; else the expected one
};

struct test {
  struct slice slices[SLICES]; // printing: all; else only the thread's own
  unsigned next, now;          // sections so far; the slice of the one that runs
  int mine;                    // the only slice to run, or -1: all of them, printed
  unsigned thread; // of the grid: the same one in each run, so that files named for it are, and a replay finds them
  int differs;
  int unchecked; // out() only prints: for what a program can do in one thread alone
};

// Names the thread and the line that differs, once per thread and for the first few threads.
static void tell_difference(struct test *t, const char *text) {
  static unsigned told;
  t->differs = 1;
  if (__atomic_fetch_add(&told, 1, __ATOMIC_RELAXED) < 4)
    fprintf(stderr, "thread %u, section %u: line %u of slice %d differs: %s\n", t->thread, t->next,
            t->slices[t->now].lines + 1, t->mine, text);
}

static void out(struct test *t, const char *format, ...) {
  char text[1200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (t->unchecked) {
    puts(text);
    return;
  }
  struct slice *slice = &t->slices[t->now];
  for (const char *c = text; *c; ++c)
    slice->checksum = (slice->checksum ^ (unsigned char)*c) * 1099511628211ul;
  const char *digits = "0123456789abcdef";
  const char now[2] = {digits[slice->checksum >> 4 & 15], digits[slice->checksum & 15]};
  if (t->mine < 0) {
    slice->trail = realloc(slice->trail, 2 * slice->lines + 2);
    memcpy(slice->trail + 2 * slice->lines, now, 2);
    puts(text);
  } else if (!t->differs && strncmp(slice->trail + 2 * slice->lines, now, 2)) {
    tell_difference(t, text);
  }
  ++slice->lines;
}

// The call's text, its result, and errno if that is negative.
#define SHOW_RESULT(call) \
  do { \
    errno = 0; \
    const long result_ = (long)(call); \
    out(t, "%s = %ld %d", #call, result_, result_ < 0 ? errno : 0); \
  } while (0)

// Begins the next part of the program; whether this thread is to run it.
static inline int section(struct test *t) {
  t->now = t->next++ % SLICES;
  return t->mine < 0 || t->now == (unsigned)t->mine;
}

static void run(struct test *t);

// The thread's own slice, compared with its word of the last line.
static inline int run_and_compare(struct test *t, char *expected) {
  struct slice *slice = &t->slices[t->mine];
  slice->trail = strchr(expected, ':') + 1;
  run(t);
  if (!t->differs && slice->checksum == strtoul(expected, NULL, 16) && 2 * slice->lines == strlen(slice->trail))
    return 0;
  if (!t->differs)
    tell_difference(t, "(the end)");
  return 1;
}

// What main() is, for a program that has more to do.
static inline int test_main(int argc, char **argv) {
  struct test t = {.mine = -1, .thread = thread_of_the_grid()};
  for (int i = 0; i < SLICES; ++i)
    t.slices[i].checksum = 14695981039346656037ul;
  if (argc > SLICES) {
    t.mine = (int)(t.thread / 64 % SLICES);
    return run_and_compare(&t, argv[1 + t.mine]);
  }
  run(&t);
  for (int i = 0; i < SLICES; ++i)
    printf("%016lx:%.*s%s", t.slices[i].checksum, (int)(2 * t.slices[i].lines), t.slices[i].trail ? t.slices[i].trail : "",
           i + 1 < SLICES ? " " : "\n");
  for (int i = 0; i < SLICES; ++i)
    free(t.slices[i].trail);
  return 0;
}

#ifndef OWN_MAIN
int main(int argc, char **argv) { return test_main(argc, argv); }
#endif
