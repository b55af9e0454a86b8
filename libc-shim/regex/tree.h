//===-- libc-shim/regex/tree.h - An expression, read ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser builds a tree of the expression, which emit.c turns into a
// program. Nothing here is recursive: threads of a GPU have small stacks.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_TREE_H
#define GPUEXEC_LIBC_REGEX_TREE_H

#include "program.h"

enum regex_tree_kind {
  REGEX_EMPTY,  ///< the empty expression; only tree 0 has this kind
  REGEX_LEAF,   ///< one node
  REGEX_BOTH,   ///< left, then right
  REGEX_EITHER, ///< left or right
  REGEX_GROUP,  ///< left in parentheses; `value` is their number
  REGEX_REPEAT  ///< left, `value` to `most` times
};

#define REGEX_NO_LIMIT UINT32_MAX   ///< `most` of a star
#define REGEX_MOST_NODES (1u << 20) ///< of a program

typedef struct {
  uint8_t kind; ///< enum regex_tree_kind
  uint8_t op;   ///< of a leaf
  bool empty;   ///< can match the empty text
  uint32_t value, most;
  uint32_t left, right; ///< indices of trees; 0 is the empty expression
  uint32_t size;        ///< nodes of the program for it; saturates
} regex_tree;

typedef struct {
  regex_tree *all;
  uint32_t count, capacity;
} regex_trees;

enum regex_token {
  REGEX_T_CHARACTER, ///< `value` is its code
  REGEX_T_ANY,
  REGEX_T_BRACKET,
  REGEX_T_CLASS,    ///< \w \W \s \S; `value` is the letter
  REGEX_T_ANCHOR,   ///< `value` has conditions (enum regex_condition)
  REGEX_T_BOUNDARY, ///< \b and \B; `value` is the letter
  REGEX_T_REFERENCE,
  REGEX_T_OPEN,
  REGEX_T_CLOSE,
  REGEX_T_ALTERNATIVE,
  REGEX_T_STAR,
  REGEX_T_PLUS,
  REGEX_T_QUESTION,
  REGEX_T_OPEN_INTERVAL,
  REGEX_T_CLOSE_INTERVAL,
  REGEX_T_BACKSLASH, ///< a backslash that is the last character
  REGEX_T_END
};

/// The state of the parser.
typedef struct {
  const unsigned char *begin, *at, *end;
  regex_program *program; ///< gets the sets and the numbers of groups
  regex_trees trees;
  uint32_t set_capacity, range_capacity;
  bool extended;
  enum regex_token token; ///< the token that ends at `at`
  uint32_t value;
  uint32_t closed; ///< bit N: group N has ended, so \N may be used
} regex_parser;

/// Reads the next token. `caret_here`: a ^ at this place is an anchor in a
/// basic expression too.
void __regex_read_token(regex_parser *parser, bool caret_here);

/// Reads the character at parser->at, which is not the end, and moves behind
/// it. Returns it in the form of __regex_fold().
uint32_t __regex_read_character(regex_parser *parser);

/// Adds a tree and returns its index; 0 without memory.
uint32_t __regex_add_tree(regex_parser *parser, regex_tree tree);

/// Reads the bracket expression behind `[`. Returns 0 and stores the index of
/// its set in the program, or returns an error of regcomp().
int __regex_read_bracket(regex_parser *parser, uint32_t *set);

/// Adds the set of \w, \W, \s or \S (`letter`). Returns 0 or REG_ESPACE.
int __regex_class_set(regex_parser *parser, char letter, uint32_t *set);

/// Reads the whole expression. Returns 0 and stores the index of its tree, or
/// returns an error of regcomp().
int __regex_parse(regex_parser *parser, uint32_t *tree);

/// Writes the tree as the program's nodes. False without memory.
bool __regex_emit(regex_parser *parser, uint32_t tree);

#endif
