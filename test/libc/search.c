// search.h: trees, hash tables, lists, linear search; those that the whole program shares in one thread alone.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <search.h>

struct node {
  struct node *next, *previous;
  int value;
};
static char walk[600]; // twalk() has no argument for it: in one thread alone
static void visit(const void *node, VISIT order, int depth) {
  if (order == postorder || order == leaf) // in order; how deep is the library's affair
    sprintf(walk + strlen(walk), "%s ", *(char *const *)node);
  if (depth < 0 || depth > 5)
    strcat(walk, "too deep ");
}
static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void lists(struct test *t) {
  struct node nodes[4] = {{.value = 0}, {.value = 1}, {.value = 2}, {.value = 3}};
  insque(&nodes[0], NULL);
  insque(&nodes[1], &nodes[0]);
  insque(&nodes[2], &nodes[0]);
  insque(&nodes[3], &nodes[1]);
  for (struct node *node = nodes; node; node = node->next)
    out(t, "%d after %d", node->value, node->previous ? node->previous->value : -1);
  remque(&nodes[2]);
  remque(&nodes[3]);
  for (struct node *node = nodes; node; node = node->next)
    out(t, "%d after %d", node->value, node->previous ? node->previous->value : -1);
  int values[10] = {5, 3, 9}, key = 9;
  size_t count = 3;
  out(t, "%td", (int *)lfind(&key, values, &count, sizeof key, compare_ints) - values);
  key = 7;
  out(t, "%d", lfind(&key, values, &count, sizeof key, compare_ints) == NULL);
  out(t, "%td %zu", (int *)lsearch(&key, values, &count, sizeof key, compare_ints) - values, count);
  out(t, "%td %zu", (int *)lsearch(&key, values, &count, sizeof key, compare_ints) - values, count);
  count = 0;
  out(t, "%d", lfind(&key, values, &count, sizeof key, compare_ints) == NULL);
}

// The one table of the program.
static void shared_table(struct test *t) {
  ENTRY item = {"a", (void *)1l}, *found;
  out(t, "%d", hcreate(30) != 0);
  out(t, "%d", hsearch(item, FIND) == NULL);
  found = hsearch(item, ENTER);
  out(t, "%s %ld", found->key, (long)found->data);
  item.data = (void *)2l;
  out(t, "%ld", (long)hsearch(item, ENTER)->data); // what was there stays
  item.key = "b";
  out(t, "%ld %ld", (long)hsearch(item, ENTER)->data, (long)hsearch(item, FIND)->data);
  hdestroy();
  out(t, "%d", hcreate(3) != 0);
  out(t, "%d", hsearch(item, FIND) == NULL);
  hdestroy();
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static void run(struct test *t) {
  static char *const words[] = {"pear", "apple", "fig", "banana", "cherry", "date"};
  void *root = NULL;
  for (int i = 0; i < 6; ++i)
    tsearch(words[i], &root, compare);
  out(t, "%d %d", tfind("fig", &root, compare) != NULL, tfind("kiwi", &root, compare) != NULL);
  if (t->mine < 0) {
    twalk(root, visit);
    t->unchecked = 1;
    out(t, "%s", walk);
    t->unchecked = 0;
  }
  tdelete("fig", &root, compare);
  out(t, "%d", tdelete("kiwi", &root, compare) == NULL);
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
  ENTRY none = {"none", NULL}, *nowhere;
  out(t, "%d", hsearch_r(none, FIND, &nowhere, &table));
  // newlib's frees the keys too: they were strdup's above.
#ifdef __gpuexec__
  hdestroy_r(&table);
#endif
  lists(t);
  if (t->mine < 0) {
    t->unchecked = 1; // the program has one table for all threads
    shared_table(t);
  }
}
