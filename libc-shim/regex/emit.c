//===-- libc-shim/regex/emit.c - From a tree to a program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the nodes of a tree. A stack of tasks takes the place of recursion.
//===----------------------------------------------------------------------===//
#include "tree.h"
#include <stdlib.h>

enum task_kind {
  WRITE,        ///< write the tree
  CLOSE_GROUP,  ///< write the end of the group
  BEGIN_OTHER,  ///< write the second alternative of the choice `at`
  SET_JUMP,     ///< let the jump `at` lead to the next node
  SKIP_TO_HERE, ///< let the second way of the choice `at` lead to the next node
  CLOSE_LOOP,   ///< write a jump back to the choice `at`
  COPY,         ///< write a repetition's required copy number `number`
  OPTIONAL_COPY ///< write an optional copy; their choices begin at `at`
};

/// Flags of a tree that is written. OPTIONAL: the group is in a loop or in the
/// first of several optional copies; if it matches the empty text there, that
/// is forgotten (groups.c). COPIED: it is in a copy, where no inner copy makes
/// it OPTIONAL, as in glibc.
enum { OPTIONAL = 1, COPIED = 2 };

typedef struct {
  uint8_t kind;  ///< enum task_kind
  uint8_t flags; ///< of WRITE, CLOSE_GROUP and the copies
  uint32_t tree, at, number;
} task;

typedef struct {
  const regex_trees *trees;
  regex_program *program;
  uint32_t node_capacity;
  task *tasks;
  uint32_t count, capacity;
  bool failed;
} writer;

/// Pushes a task: it is done before those that were pushed earlier.
static void later(writer *w, task t) {
  if (__regex_grow(&w->tasks, sizeof(task), w->count, &w->capacity))
    w->tasks[w->count++] = t;
  else
    w->failed = true;
}

/// Adds a node and returns its index.
static uint32_t node(writer *w, enum regex_op op, uint32_t first,
                     uint32_t second) {
  regex_program *program = w->program;
  if (!__regex_grow(&program->nodes, sizeof(regex_node), program->count,
                    &w->node_capacity))
    return w->failed = true, 0;
  program->nodes[program->count] = (regex_node){(uint8_t)op, first, second};
  return program->count++;
}

/// Adds a choice whose first way is the next node. Returns its index.
static uint32_t choice(writer *w) {
  const uint32_t here = w->program->count;
  return node(w, REGEX_CHOICE, here + 1, here + 1);
}

static void write_either(writer *w, const regex_tree *tree, uint8_t flags) {
  const uint32_t at = choice(w);
  if (tree->left && tree->right) {
    later(w, (task){BEGIN_OTHER, flags, tree->right, at, 0});
    later(w, (task){WRITE, flags, tree->left, 0, 0});
  } else { // an empty alternative is tried last
    later(w, (task){SKIP_TO_HERE, 0, 0, at, 0});
    later(w, (task){WRITE, flags, tree->left | tree->right, 0, 0});
  }
}

/// The flags of the optional copy `number` (1 for a loop) of the repetition
/// that the task writes.
static uint8_t flags_of_optional(const regex_tree *tree, task t,
                                 uint32_t number) {
  if (t.flags & COPIED || number > 1)
    return COPIED;
  return tree->value > 0 ? OPTIONAL | COPIED : OPTIONAL;
}

/// Writes the part of a repetition behind its required copies: a loop, or
/// optional copies. The choices of all optional copies are before the first
/// copy, so that a walk chooses the number of copies first.
static void write_optional(writer *w, task t) {
  const regex_tree *tree = w->trees->all + t.tree;
  const uint32_t at = w->program->count;
  if (tree->most == REGEX_NO_LIMIT) {
    choice(w);
    w->program->loops_empty |= w->trees->all[tree->left].empty;
    later(w, (task){CLOSE_LOOP, 0, 0, at, 0});
    return later(
        w, (task){WRITE, flags_of_optional(tree, t, 1), tree->left, 0, 0});
  }
  for (uint32_t i = tree->value; i < tree->most; ++i)
    choice(w);
  if (tree->value < tree->most)
    later(w, (task){OPTIONAL_COPY, t.flags, t.tree, at, 1});
}

static void write_copy(writer *w, task t) {
  const regex_tree *tree = w->trees->all + t.tree;
  if (t.number > tree->value)
    return write_optional(w, t);
  later(w, (task){COPY, t.flags, t.tree, 0, t.number + 1});
  later(w, (task){WRITE, t.number > 1 ? COPIED : t.flags, tree->left, 0, 0});
}

static void write_optional_copy(writer *w, task t) {
  const regex_tree *tree = w->trees->all + t.tree;
  const uint32_t copies = tree->most - tree->value;
  if (t.number < copies)
    later(w, (task){OPTIONAL_COPY, t.flags, t.tree, t.at, t.number + 1});
  later(w, (task){SKIP_TO_HERE, 0, 0, t.at + copies - t.number, 0});
  later(w,
        (task){WRITE, flags_of_optional(tree, t, t.number), tree->left, 0, 0});
}

static void write_tree(writer *w, task t) {
  const regex_tree *tree = w->trees->all + t.tree;
  const uint8_t inner = t.flags & COPIED;
  switch (tree->kind) {
  case REGEX_EMPTY:
    return;
  case REGEX_LEAF:
    node(w, tree->op, tree->value, 0);
    w->program->asserts |= tree->op == REGEX_ASSERT;
    w->program->word_asserts |=
        tree->op == REGEX_ASSERT &&
        (tree->value & (REGEX_AFTER_WORD | REGEX_AFTER_OTHER |
                        REGEX_BEFORE_WORD | REGEX_BEFORE_OTHER));
    return;
  case REGEX_BOTH:
    later(w, (task){WRITE, inner, tree->right, 0, 0});
    return later(w, (task){WRITE, inner, tree->left, 0, 0});
  case REGEX_EITHER:
    return write_either(w, tree, inner);
  case REGEX_REPEAT:
    return later(w, (task){COPY, inner, t.tree, 0, 1});
  case REGEX_GROUP:
    // With REG_NOSUB only the groups matter to which \N refers.
    if (w->program->no_groups &&
        (tree->value > 9 || !(w->program->referenced >> tree->value & 1)))
      return later(w, (task){WRITE, inner, tree->left, 0, 0});
    node(w, REGEX_OPEN, tree->value, 0);
    w->program->restores |= t.flags & OPTIONAL && tree->empty;
    later(w, (task){CLOSE_GROUP, t.flags, t.tree, 0, 0});
    return later(w, (task){WRITE, inner, tree->left, 0, 0});
  }
}

static void do_task(writer *w, task t) {
  regex_node *nodes = w->program->nodes;
  uint32_t at;
  switch ((enum task_kind)t.kind) {
  case WRITE:
    return write_tree(w, t);
  case CLOSE_GROUP:
    node(w, REGEX_CLOSE, w->trees->all[t.tree].value, t.flags & OPTIONAL);
    return;
  case BEGIN_OTHER:
    at = node(w, REGEX_JUMP, 0, 0);
    w->program->nodes[t.at].second = w->program->count;
    later(w, (task){SET_JUMP, 0, 0, at, 0});
    return later(w, (task){WRITE, t.flags, t.tree, 0, 0});
  case SET_JUMP:
    nodes[t.at].first = w->program->count;
    return;
  case SKIP_TO_HERE:
    nodes[t.at].second = w->program->count;
    return;
  case CLOSE_LOOP:
    node(w, REGEX_JUMP, t.at, 0);
    w->program->nodes[t.at].second = w->program->count;
    return;
  case COPY:
    return write_copy(w, t);
  case OPTIONAL_COPY:
    return write_optional_copy(w, t);
  }
}

bool __regex_emit(regex_parser *parser, uint32_t tree) {
  writer w = {.trees = &parser->trees, .program = parser->program};
  later(&w, (task){WRITE, 0, tree, 0, 0});
  while (w.count && !w.failed)
    do_task(&w, w.tasks[--w.count]);
  if (!w.failed)
    node(&w, REGEX_MATCH, 0, 0);
  free(w.tasks);
  return !w.failed;
}
