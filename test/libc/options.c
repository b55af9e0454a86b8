// getopt.h: every kind of option, abbreviations, errors and what is said of them on standard error, arguments in and out of
// order; then 4096 threads, each with lists of its own.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host && %t.host > %t.expected 2> %t.expected-errors
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: %run %t > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out
// RUN: diff %t.expected-errors %t.errors
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <getopt.h>
#include <unistd.h>

static void parse(struct test *t, const char *short_options, const struct option *longs, int only, const char *const *words) {
  // Order: '+' keeps it, so that threads, of which each reorders its own copy only when it is alone, do the same.
  char *copy[10] = {"prog"};
  int count = 1;
  for (; *words; ++words)
    copy[count++] = strdup(*words);
  optind = 0;
  opterr = t->mine < 0;
  int index = -1;
  for (int c; (c = !longs ? getopt(count, copy, short_options) : only ? getopt_long_only(count, copy, short_options, longs, &index)
                                                                      : getopt_long(count, copy, short_options, longs, &index)) != -1;) {
    out(t, "%d optarg %s optopt %d index %d", c, optarg ? optarg : "(none)", c == '?' || c == ':' ? optopt : 0, index);
    index = -1;
  }
  out(t, "optind %d of %d", optind, count);
  for (int i = 1; i < count; ++i) {
    out(t, "%s", copy[i]);
    free(copy[i]);
  }
}

static void run(struct test *t) {
  static int flag;
  static const struct option longs[] = {{"verbose", no_argument, NULL, 'v'}, {"version", no_argument, NULL, 'V'},
                                        {"output", required_argument, NULL, 'o'}, {"color", optional_argument, NULL, 'c'},
                                        {"zero", no_argument, NULL, 0}, {"a", no_argument, NULL, 'A'}, {NULL, 0, NULL, 0}};
  static const char *const lists[][8] = {
      {"-a", "-b", "value", "rest"},
      {"-ab", "value", "rest", "-a"},
      {"-bvalue", "--", "-a"},
      {"-b"},
      {"-x", "-a"},
      {"-", "-a"},
      {"-aax", "-b", "-a"},
      {"--verbose", "--output", "file", "operand"},
      {"--output=file", "--color", "--color=always", "x"},
      {"--verb", "--vers", "--o", "y"},
      {"--ver"},
      {"--output"},
      {"--verbose=no"},
      {"--unknown", "-v"},
      {"--zero", "-v", "-ofile", "-o", "file"},
      {"-c", "word", "-cword"},
      {"--", "--verbose"},
      {"-verbose", "-o", "file", "-color=x"},
      {"", "-a"},
      {NULL},
  };
  static const char *const shorts[] = {"+ab:", "+:ab:", "+avo:c::V", "+:avo:c::V"};
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; ++i)
    for (int j = 0; j < 4; ++j) {
      out(t, "list %u, %s", i, shorts[j]);
      parse(t, shorts[j], NULL, 0, lists[i]);
      parse(t, shorts[j], longs, 0, lists[i]);
      parse(t, shorts[j], longs, 1, lists[i]);
    }
  if (t->mine < 0) {
    // Out of order, in one thread.
    static const char *const mixed[] = {"one", "-a", "two", "-b", "value", "--", "-a", NULL};
    t->unchecked = 1;
    parse(t, "ab:", NULL, 0, mixed);
    parse(t, "-ab:", NULL, 0, mixed);
    parse(t, "ab:", longs, 0, mixed);
    t->unchecked = 0;
  }
}
