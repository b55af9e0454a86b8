//===-- libc-shim/argp/entries.c - Options in the order of the help -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See entries.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/argp/entries.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int __argp_letter(const struct argp_option *option) {
  return !(option->flags & OPTION_DOC) && option->key > 0 &&
                 option->key <= UCHAR_MAX && isprint(option->key)
             ? option->key
             : 0;
}

/// Does an entry before `e`, or an option before it, have the same letter?
static bool letter_is_taken(const entry_list *list, const entry *e,
                            unsigned option) {
  const int letter = __argp_letter(&e->options[option]);
  for (unsigned i = 0; i < list->count; ++i) {
    const entry *other = &list->entries[i];
    if (other->order > e->order)
      continue;
    const unsigned count = other == e ? option : other->count;
    for (unsigned j = 0; j < count; ++j)
      if (__argp_letter(&other->options[j]) == letter)
        return true;
  }
  return false;
}

int __argp_shown_letter(const entry_list *list, const entry *e,
                        unsigned option) {
  const struct argp_option *o = &e->options[option];
  return o->flags & OPTION_HIDDEN || letter_is_taken(list, e, option)
             ? 0
             : __argp_letter(o);
}
const char *__argp_shown_name(const entry *e, unsigned option) {
  const struct argp_option *o = &e->options[option];
  return o->flags & OPTION_HIDDEN ? NULL : o->name;
}

//===-- Collecting --------------------------------------------------------===//

static void count_options(const struct argp *argp, unsigned *options,
                          unsigned *children) {
  for (const struct argp_option *o = argp->options; o && !is_end(o); ++o)
    ++*options;
  for (const struct argp_child *c = argp->children; c && c->argp; ++c) {
    ++*children;
    count_options(c->argp, options, children);
  }
}

static void collect(entry_list *list, const struct argp *argp,
                    const cluster *in) {
  int group = 0;
  for (const struct argp_option *o = argp->options; o && !is_end(o);) {
    entry *e = &list->entries[list->count];
    *e = (entry){.options = o, .order = list->count, .in = in, .argp = argp};
    if (o->group)
      group = o->group;
    else if (!o->name && !o->key) // the header of a group
      ++group;
    e->group = group;
    do
      ++e->count;
    while (!is_end(++o) && o->flags & OPTION_ALIAS);
    ++list->count;
    for (unsigned i = 0; i < e->count && !e->first_letter; ++i)
      e->first_letter = __argp_shown_letter(list, e, i);
  }
  for (const struct argp_child *c = argp->children; c && c->argp; ++c) {
    const cluster *of_child = in;
    if (c->group || c->header) {
      cluster *made = &list->clusters[list->cluster_count++];
      *made = (cluster){in,
                        c->header,
                        argp,
                        c->group,
                        (int)(c - argp->children),
                        in ? in->depth + 1 : 0};
      of_child = made;
    }
    collect(list, c->argp, of_child);
  }
}

//===-- Sorting -----------------------------------------------------------===//

/// Orders groups: 0, 1, 2 ..., then ... -2, -1. Returns `equal` for equal ones.
static int compare_groups(int a, int b, int equal) {
  if (a == b)
    return equal;
  if ((a < 0) != (b < 0))
    return a < 0 ? 1 : -1;
  return a < b ? -1 : 1;
}

static const cluster *above(const cluster *c, int depth) {
  while (c->depth > depth)
    c = c->parent;
  return c;
}

static int compare_clusters(const cluster *a, const cluster *b) {
  const int depth = a->depth < b->depth ? a->depth : b->depth;
  const cluster *top_a = above(a, depth), *top_b = above(b, depth);
  if (top_a == top_b) // one is within the other, whose own options come first
    return a->depth - b->depth;
  while (top_a->parent != top_b->parent) {
    top_a = top_a->parent;
    top_b = top_b->parent;
  }
  return compare_groups(top_a->group, top_b->group,
                        top_b->index - top_a->index);
}

static int compare_names(const char *a, const char *b) {
  for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b);)
    ++a, ++b;
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

/// By this an entry is sorted within its group.
typedef struct {
  bool is_text; ///< a text that does not look like an option: after options
  int letter;   ///< the first letter that the help shows, or 0
  const char *name;
} sort_key;

static sort_key key_of(const entry *e) {
  sort_key key = {false, e->first_letter, NULL};
  for (unsigned i = 0; i < e->count && !key.name; ++i)
    key.name = __argp_shown_name(e, i);
  if (e->options->flags & OPTION_DOC && key.name) {
    while (isspace((unsigned char)*key.name))
      ++key.name;
    key.is_text = *key.name != '-';
    while (*key.name && !isalnum((unsigned char)*key.name))
      ++key.name;
  }
  return key;
}

static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  if (a->in != b->in) {
    int order;
    if (!a->in)
      order = compare_groups(a->group, above(b->in, 0)->group, -1);
    else if (!b->in)
      order = compare_groups(above(a->in, 0)->group, b->group, 1);
    else
      order = compare_clusters(a->in, b->in);
    return order ? order : (int)a->order - (int)b->order;
  }
  if (a->group != b->group)
    return compare_groups(a->group, b->group, 0);
  const sort_key x = key_of(a), y = key_of(b);
  int order = x.is_text - y.is_text;
  if (!order && !x.letter && !y.letter && x.name && y.name) {
    order = compare_names(x.name, y.name);
  } else if (!order) {
    const int first = x.letter ? x.letter : x.name ? (unsigned char)*x.name : 0;
    const int second = y.letter ? y.letter
                       : y.name ? (unsigned char)*y.name
                                : 0;
    order = tolower(first) - tolower(second);
    if (!order)
      order = second - first; // small letters first
  }
  return order ? order : (int)a->order - (int)b->order;
}

/// Puts the entry of the option `name` (help or version) into the last group.
static void move_to_end(entry_list *list, const char *name) {
  for (unsigned i = 0; i < list->count; ++i)
    for (unsigned j = 0; j < list->entries[i].count; ++j)
      if (list->entries[i].options[j].name &&
          !strcmp(list->entries[i].options[j].name, name)) {
        list->entries[i].group = -1;
        return;
      }
}

bool __argp_list(const struct argp *root, entry_list *list) {
  unsigned options = 0, children = 0;
  count_options(root, &options, &children);
  *list = (entry_list){.entries = malloc((options + 1) * sizeof(entry)),
                       .clusters = malloc((children + 1) * sizeof(cluster))};
  if (!list->entries || !list->clusters) {
    __argp_free_list(list);
    return false;
  }
  collect(list, root, NULL);
  move_to_end(list, "help");
  move_to_end(list, "version");
  qsort(list->entries, list->count, sizeof(entry), compare_entries);
  return true;
}

void __argp_free_list(entry_list *list) {
  free(list->entries);
  free(list->clusters);
}
