//===-- libc-shim/regex/parse.c - From an expression to a tree ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar is POSIX's with GNU's operators; cases that POSIX leaves
// undefined are as in glibc. A stack in the heap has a level for each open
// parenthesis.
//===----------------------------------------------------------------------===//
#include "tree.h"
#include <stdlib.h>

/// The part of a group, or of the whole expression, that has been read.
typedef struct {
  uint32_t earlier;        ///< tree of the alternatives before the last |
  uint32_t branch;         ///< tree of the alternative that is being read
  bool has_earlier;        ///< there was a |
  uint32_t group;          ///< the group's number
  uint32_t closed_before;  ///< regex_parser::closed when the group began
  uint32_t closed_earlier; ///< groups that the alternatives before contain
} level;

typedef struct {
  regex_parser *parser;
  level *levels;
  uint32_t count, capacity;
} reader;

bool __regex_grow(void *array, size_t element, uint32_t count,
                  uint32_t *capacity) {
  void **blocks = array;
  if (count < *capacity)
    return true;
  const uint32_t larger = *capacity ? *capacity * 2 : 8;
  void *moved = realloc(*blocks, larger * element);
  if (!moved)
    return false;
  *blocks = moved;
  *capacity = larger;
  return true;
}

static uint32_t limited(uint64_t size) {
  return size > REGEX_MOST_NODES ? REGEX_MOST_NODES + 1 : (uint32_t)size;
}

/// Computes `size` and `empty` of a tree from those of its parts.
static void measure(const regex_trees *trees, regex_tree *tree) {
  const regex_tree *left = trees->all + tree->left,
                   *right = trees->all + tree->right;
  const uint64_t times =
      tree->most == REGEX_NO_LIMIT ? (uint64_t)tree->value + 1 : tree->most;
  switch (tree->kind) {
  case REGEX_BOTH:
    tree->size = limited((uint64_t)left->size + right->size);
    tree->empty = left->empty && right->empty;
    break;
  case REGEX_EITHER:
    tree->size = limited((uint64_t)left->size + right->size + 2);
    tree->empty = left->empty || right->empty;
    break;
  case REGEX_GROUP:
    tree->size = limited((uint64_t)left->size + 2);
    tree->empty = left->empty;
    break;
  case REGEX_REPEAT:
    tree->size = limited(times * (left->size + 1) + 2);
    tree->empty = tree->value == 0 || left->empty;
    break;
  default:
    tree->size = tree->kind == REGEX_LEAF;
    tree->empty = tree->kind == REGEX_EMPTY || tree->op == REGEX_ASSERT ||
                  tree->op == REGEX_REFERENCE;
  }
}

uint32_t __regex_add_tree(regex_parser *parser, regex_tree tree) {
  regex_trees *trees = &parser->trees;
  if (!__regex_grow(&trees->all, sizeof(regex_tree), trees->count,
                    &trees->capacity))
    return 0;
  if (trees->count > 0)
    measure(trees, &tree);
  else
    tree.empty = true;
  trees->all[trees->count] = tree;
  return trees->count++;
}

/// Adds a tree. Returns 0, or REG_ESPACE without memory or if its program would
/// be too large.
static int add(reader *r, regex_tree tree, uint32_t *index) {
  *index = __regex_add_tree(r->parser, tree);
  if (*index == 0 || r->parser->trees.all[*index].size > REGEX_MOST_NODES)
    return REG_ESPACE;
  return 0;
}

static int leaf(reader *r, enum regex_op op, uint32_t value, uint32_t *tree) {
  return add(
      r, (regex_tree){.kind = REGEX_LEAF, .op = (uint8_t)op, .value = value},
      tree);
}

/// Adds the tree of `left`, then `right`, where either may be the empty
/// expression (0).
static int both(reader *r, uint32_t left, uint32_t right, uint32_t *tree) {
  *tree = left ? left : right;
  if (!left || !right)
    return 0;
  return add(r, (regex_tree){.kind = REGEX_BOTH, .left = left, .right = right},
             tree);
}

static level *top(reader *r) { return r->levels + r->count - 1; }

static bool begin_level(reader *r, uint32_t group) {
  if (!__regex_grow(&r->levels, sizeof(level), r->count, &r->capacity))
    return false;
  r->levels[r->count++] =
      (level){.group = group, .closed_before = r->parser->closed};
  return true;
}

/// Adds the alternative that has been read to those before it.
static int end_branch(reader *r) {
  level *l = top(r);
  int error = 0;
  if (!l->has_earlier)
    l->earlier = l->branch;
  else
    error =
        add(r,
            (regex_tree){
                .kind = REGEX_EITHER, .left = l->earlier, .right = l->branch},
            &top(r)->earlier);
  l->branch = 0;
  return error;
}

static int read_alternative(reader *r) {
  const int error = end_branch(r);
  level *l = top(r);
  l->has_earlier = true;
  // \N refers to groups of its own alternative only.
  l->closed_earlier |= r->parser->closed;
  r->parser->closed = l->closed_before;
  __regex_read_token(r->parser, true);
  return error;
}

/// Ends the innermost open group: *tree becomes its tree.
static int end_group(reader *r, uint32_t *tree) {
  const int error = end_branch(r);
  if (error)
    return error;
  const level l = *top(r);
  --r->count;
  r->parser->closed |= l.closed_earlier;
  if (l.group <= 9)
    r->parser->closed |= 1u << l.group;
  return add(
      r, (regex_tree){.kind = REGEX_GROUP, .value = l.group, .left = l.earlier},
      tree);
}

enum { NO_NUMBER = -1, BAD_NUMBER = -2 };

/// Reads the number of an interval up to a comma or the interval's end.
static int read_number(regex_parser *parser) {
  int number = NO_NUMBER;
  for (;;) {
    __regex_read_token(parser, false);
    if (parser->token == REGEX_T_END)
      return BAD_NUMBER;
    if (parser->token == REGEX_T_CLOSE_INTERVAL ||
        (parser->token == REGEX_T_CHARACTER && parser->value == ','))
      return number;
    if (parser->token != REGEX_T_CHARACTER || parser->value < '0' ||
        parser->value > '9' || number == BAD_NUMBER)
      number = BAD_NUMBER;
    else if (number <= RE_DUP_MAX)
      number =
          (number == NO_NUMBER ? 0 : number * 10) + (int)(parser->value - '0');
  }
}

/// Reads an interval behind its {. *most becomes NO_NUMBER if it has no upper
/// limit.
static int read_interval(regex_parser *parser, int *least, int *most) {
  *least = read_number(parser);
  if (*least == NO_NUMBER) {
    if (parser->token != REGEX_T_CHARACTER)
      return REG_BADBR;
    *least = 0;
  }
  *most = BAD_NUMBER;
  if (*least != BAD_NUMBER)
    *most =
        parser->token == REGEX_T_CLOSE_INTERVAL ? *least : read_number(parser);
  if (*least == BAD_NUMBER || *most == BAD_NUMBER)
    return parser->token == REGEX_T_END ? REG_EBRACE : REG_BADBR;
  if ((*most != NO_NUMBER && *least > *most) ||
      parser->token != REGEX_T_CLOSE_INTERVAL)
    return REG_BADBR;
  return (*most == NO_NUMBER ? *least : *most) > RE_DUP_MAX ? REG_ESIZE : 0;
}

static bool is_repetition(enum regex_token token) {
  return token == REGEX_T_STAR || token == REGEX_T_PLUS ||
         token == REGEX_T_QUESTION || token == REGEX_T_OPEN_INTERVAL;
}

/// Reads the repetitions behind an atom.
static int read_repetitions(reader *r, uint32_t *tree) {
  regex_parser *parser = r->parser;
  while (is_repetition(parser->token)) {
    int least = parser->token == REGEX_T_PLUS,
        most = parser->token == REGEX_T_QUESTION ? 1 : NO_NUMBER;
    int error = parser->token == REGEX_T_OPEN_INTERVAL
                    ? read_interval(parser, &least, &most)
                    : 0;
    if (error)
      return error;
    __regex_read_token(parser, false);
    if (most == 0)
      *tree = 0;
    else if (*tree && (least != 1 || most != 1))
      error = add(r,
                  (regex_tree){.kind = REGEX_REPEAT,
                               .value = (uint32_t)least,
                               .most = (uint32_t)most,
                               .left = *tree},
                  tree);
    if (error)
      return error;
    if (!parser->extended && (parser->token == REGEX_T_STAR ||
                              parser->token == REGEX_T_OPEN_INTERVAL))
      return REG_BADRPT;
  }
  return 0;
}

/// Reads \b (the begin or the end of a word) or \B (a place that is neither).
static int read_boundary(reader *r, uint32_t *tree) {
  const bool inside = r->parser->value == 'B';
  uint32_t left, right;
  int error = leaf(r, REGEX_ASSERT,
                   inside ? REGEX_AFTER_WORD | REGEX_BEFORE_WORD
                          : REGEX_AFTER_OTHER | REGEX_BEFORE_WORD,
                   &left);
  if (!error)
    error = leaf(r, REGEX_ASSERT,
                 inside ? REGEX_AFTER_OTHER | REGEX_BEFORE_OTHER
                        : REGEX_AFTER_WORD | REGEX_BEFORE_OTHER,
                 &right);
  if (!error)
    error =
        add(r, (regex_tree){.kind = REGEX_EITHER, .left = left, .right = right},
            tree);
  return error;
}

/// Makes the tree of a token that is one node, or that stands for its own
/// character here.
static int read_atom(reader *r, uint32_t *tree) {
  regex_parser *parser = r->parser;
  uint32_t set;
  int error;
  switch (parser->token) {
  case REGEX_T_ANY:
    return leaf(r, REGEX_ANY, 0, tree);
  case REGEX_T_BRACKET:
    error = __regex_read_bracket(parser, &set);
    return error ? error : leaf(r, REGEX_SET, set, tree);
  case REGEX_T_CLASS:
    error = __regex_class_set(parser, (char)parser->value, &set);
    return error ? error : leaf(r, REGEX_SET, set, tree);
  case REGEX_T_REFERENCE:
    if (!(parser->closed >> parser->value & 1))
      return REG_ESUBREG;
    parser->program->referenced |= 1u << parser->value;
    return leaf(r, REGEX_REFERENCE, parser->value, tree);
  case REGEX_T_CHARACTER:
  case REGEX_T_CLOSE_INTERVAL:
    return leaf(r, REGEX_CHARACTER,
                parser->token == REGEX_T_CHARACTER ? parser->value : '}', tree);
  case REGEX_T_BACKSLASH:
    return REG_EESCAPE;
  case REGEX_T_CLOSE: // there is no open group
    return parser->extended ? leaf(r, REGEX_CHARACTER, ')', tree) : REG_EPAREN;
  default: // a repetition without an atom before it
    if (parser->extended || parser->token == REGEX_T_OPEN_INTERVAL)
      return REG_BADRPT;
    return leaf(r, REGEX_CHARACTER,
                parser->token == REGEX_T_STAR   ? '*'
                : parser->token == REGEX_T_PLUS ? '+'
                                                : '?',
                tree);
  }
}

/// Reads an anchor. It has no repetitions: a * behind it means the same as at
/// the begin of an expression.
static int read_anchor(reader *r, uint32_t *tree) {
  const int error = r->parser->token == REGEX_T_BOUNDARY
                        ? read_boundary(r, tree)
                        : leaf(r, REGEX_ASSERT, r->parser->value, tree);
  __regex_read_token(r->parser, false);
  return error;
}

/// Reads the piece that begins with the current token, and adds it to the
/// branch.
static int read_piece(reader *r) {
  const enum regex_token token = r->parser->token;
  uint32_t tree = 0;
  int error = 0;
  if (token == REGEX_T_ALTERNATIVE)
    return read_alternative(r);
  if (token == REGEX_T_OPEN) {
    if (!begin_level(r, ++r->parser->program->groups))
      return REG_ESPACE;
    __regex_read_token(r->parser, true);
    return 0;
  }
  if (token == REGEX_T_ANCHOR || token == REGEX_T_BOUNDARY) {
    error = read_anchor(r, &tree);
  } else {
    error = token == REGEX_T_CLOSE && r->count > 1 ? end_group(r, &tree)
                                                   : read_atom(r, &tree);
    if (!error)
      __regex_read_token(r->parser, false), error = read_repetitions(r, &tree);
  }
  return error ? error : both(r, top(r)->branch, tree, &top(r)->branch);
}

int __regex_parse(regex_parser *parser, uint32_t *tree) {
  reader r = {.parser = parser};
  int error = 0;
  __regex_add_tree(parser, (regex_tree){.kind = REGEX_EMPTY});
  if (parser->trees.count == 0 || !begin_level(&r, 0))
    error = REG_ESPACE;
  if (!error)
    __regex_read_token(parser, true);
  while (!error && parser->token != REGEX_T_END)
    error = read_piece(&r);
  if (!error && r.count > 1)
    error = REG_EPAREN;
  if (!error)
    error = end_branch(&r);
  if (!error)
    *tree = r.levels->earlier;
  free(r.levels);
  return error;
}
