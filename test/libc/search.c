// search.h: trees and hash tables.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <search.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static void run(struct test *t) {
  static char *const words[] = {"pear", "apple", "fig", "banana", "cherry", "date"};
  void *root = NULL;
  for (int i = 0; i < 6; ++i)
    tsearch(words[i], &root, compare);
  out(t, "%d %d", tfind("fig", &root, compare) != NULL, tfind("kiwi", &root, compare) != NULL);
  tdelete("fig", &root, compare);
  out(t, "%d %s", tfind("fig", &root, compare) != NULL, *(char **)tfind("date", &root, compare));
  for (int i = 0; i < 6; ++i)
    if (i != 2)
      tdelete(words[i], &root, compare);
  out(t, "%d", root == NULL);
  struct hsearch_data table = {0};
  hcreate_r(20, &table);
  for (long i = 0; i < 6; ++i) {
    ENTRY item = {strdup(words[i]), (void *)i}, *found;
    hsearch_r(item, ENTER, &found, &table);
  }
  for (int i = 0; i < 6; ++i) {
    ENTRY item = {words[i], NULL}, *found = NULL;
    int there = hsearch_r(item, FIND, &found, &table);
    out(t, "%d %ld", there, (long)found->data);
  }
}
