//===-- libc-shim/regex/brackets.c - Bracket expressions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters are ordered by their codes. A collating element and an equivalence
// class each consist of one character.
//===----------------------------------------------------------------------===//
#include "characters.h"
#include "tree.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 31 };

/// An element of a bracket expression: a character, or a class, which is added
/// to the set when it is read.
typedef struct {
  bool is_class; ///< [:alpha:] or [=a=], which cannot begin or end a range
  uint32_t code;
} element;

static int add_set(regex_parser *parser, uint32_t *index) {
  regex_program *program = parser->program;
  if (!__regex_grow(&program->sets, sizeof(regex_set), program->set_count,
                    &parser->set_capacity))
    return REG_ESPACE;
  *index = program->set_count++;
  program->sets[*index] = (regex_set){.first_range = program->range_count};
  return 0;
}

/// Adds the codes [from, to] to the last set.
static int add_range(regex_parser *parser, uint32_t from, uint32_t to) {
  regex_program *program = parser->program;
  regex_set *set = program->sets + program->set_count - 1;
  for (; from <= to && from < program->low_end; ++from)
    set->low[from / 32] |= 1u << from % 32;
  if (from > to)
    return 0;
  if (!__regex_grow(&program->ranges, sizeof(regex_range), program->range_count,
                    &parser->range_capacity))
    return REG_ESPACE;
  program->ranges[program->range_count++] = (regex_range){from, to};
  ++set->range_count;
  return 0;
}

static void add_class(regex_parser *parser, int class) {
  const regex_program *program = parser->program;
  regex_set *set = program->sets + program->set_count - 1;
  for (uint32_t code = 0; code < program->low_end; ++code)
    if (__regex_in_class(class, code, false))
      set->low[code / 32] |= 1u << code % 32;
  if (program->utf8)
    set->classes |= 1u << class;
}

/// Replaces the last set by its complement. Invalid bytes are in neither.
static void negate(regex_parser *parser) {
  regex_program *program = parser->program;
  regex_set *set = program->sets + program->set_count - 1;
  set->negated = true;
  for (unsigned i = 0; i < program->low_end / 32; ++i)
    set->low[i] = ~set->low[i];
}

int __regex_class_set(regex_parser *parser, char letter, uint32_t *set) {
  if (add_set(parser, set))
    return REG_ESPACE;
  if (letter == 'w' || letter == 'W') {
    add_class(parser, __regex_class("alnum", 5));
    if (add_range(parser, '_', '_'))
      return REG_ESPACE;
  } else {
    add_class(parser, __regex_class("space", 5));
  }
  if (letter == 'W' || letter == 'S')
    negate(parser);
  return 0;
}

/// Reads the name between "[:" and ":]", "[=" and "=]", or "[." and ".]".
static int read_name(regex_parser *parser, unsigned char mark,
                     const unsigned char **name, size_t *length) {
  *name = parser->at;
  for (;; ++parser->at) {
    if (parser->end - parser->at < 2 || parser->at - *name > LONGEST_NAME)
      return REG_EBRACK;
    if (parser->at[0] == mark && parser->at[1] == ']')
      break;
  }
  *length = (size_t)(parser->at - *name);
  parser->at += 2;
  return 0;
}

static int read_class(regex_parser *parser, const unsigned char *name,
                      size_t length) {
  int class = __regex_class((const char *)name, length);
  if (class < 0)
    return REG_ECTYPE;
  // With REG_ICASE "upper" and "lower" contain both cases.
  if (parser->program->fold_case &&
      (length == 5 && (!memcmp(name, "upper", 5) || !memcmp(name, "lower", 5))))
    class = __regex_class("alpha", 5);
  add_class(parser, class);
  return 0;
}

/// Reads "[:alpha:]", "[=a=]" or "[.a.]"; parser->at is behind the first `mark`
/// (':', '=' or '.'). Of these only "[.a.]" may end a range.
static int read_named(regex_parser *parser, unsigned char mark, bool ends_range,
                      element *found) {
  const unsigned char *name;
  size_t length;
  const int error = read_name(parser, mark, &name, &length);
  if (error)
    return error;
  found->is_class = mark != '.';
  if (found->is_class && ends_range)
    return REG_ERANGE;
  if (mark == ':')
    return read_class(parser, name, length);
  regex_parser inside = *parser;
  inside.at = name;
  inside.end = name + length;
  if (length == 0)
    return REG_ECOLLATE;
  found->code = __regex_read_character(&inside);
  if (inside.at != inside.end)
    return REG_ECOLLATE;
  return mark == '=' ? add_range(parser, found->code, found->code) : 0;
}

/// Reads an element. `hyphen_is_one`: a hyphen here is an element itself.
static int read_element(regex_parser *parser, bool hyphen_is_one,
                        bool ends_range, element *found) {
  *found = (element){0};
  if (parser->at == parser->end)
    return REG_EBRACK;
  const unsigned char first = *parser->at;
  if (first == '[' && parser->end - parser->at > 1 &&
      strchr(":=.", parser->at[1]) && parser->at[1]) {
    const unsigned char mark = parser->at[1];
    parser->at += 2;
    return read_named(parser, mark, ends_range, found);
  }
  if (first == '-' && !hyphen_is_one &&
      (parser->end - parser->at < 2 || parser->at[1] != ']'))
    return REG_ERANGE; // a hyphen that is neither a range's nor first or last
  found->code = __regex_read_character(parser);
  return 0;
}

/// True if the hyphen of a range follows: one that is not the last element.
static bool range_follows(const regex_parser *parser) {
  const ptrdiff_t left = parser->end - parser->at;
  return left > 0 && parser->at[0] == '-' &&
         (left == 1 || parser->at[1] != ']');
}

/// Reads an element or a range and adds it to the last set.
static int read_item(regex_parser *parser, bool first) {
  element from, to;
  int error = read_element(parser, first, false, &from);
  if (error)
    return error;
  to = from;
  if (!from.is_class && range_follows(parser)) {
    ++parser->at;
    error = read_element(parser, true, true, &to);
    if (error)
      return error;
    if (from.code > to.code)
      return REG_ERANGE;
  }
  return from.is_class ? 0 : add_range(parser, from.code, to.code);
}

int __regex_read_bracket(regex_parser *parser, uint32_t *set) {
  if (add_set(parser, set))
    return REG_ESPACE;
  const bool negated = parser->at < parser->end && *parser->at == '^';
  parser->at += negated;
  if (negated && parser->program->newline && add_range(parser, '\n', '\n'))
    return REG_ESPACE;
  for (bool first = true;
       first || parser->at == parser->end || *parser->at != ']';
       first = false) {
    if (parser->at == parser->end)
      return REG_EBRACK;
    const int error = read_item(parser, first);
    if (error)
      return error;
  }
  ++parser->at;
  if (negated)
    negate(parser);
  return 0;
}
