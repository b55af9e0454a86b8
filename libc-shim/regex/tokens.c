//===-- libc-shim/regex/tokens.c - Tokens of an expression ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Basic and extended expressions differ in which operators have a backslash.
//===----------------------------------------------------------------------===//
#include "characters.h"
#include "tree.h"

uint32_t __regex_read_character(regex_parser *parser) {
  const regex_text pattern = {parser->begin, parser->end, 0};
  unsigned length;
  const uint32_t code =
      __regex_next(parser->program, &pattern, parser->at, &length);
  parser->at += length;
  return __regex_fold(parser->program, code);
}

/// Sets the current token.
static void is(regex_parser *parser, enum regex_token token, uint32_t value) {
  parser->token = token;
  parser->value = value;
}

/// Reads an operator that is a backslash and `letter` in both kinds of
/// expressions. False if there is none.
static bool read_word_operator(regex_parser *parser, unsigned char letter) {
  switch (letter) {
  case '<':
    return is(parser, REGEX_T_ANCHOR, REGEX_AFTER_OTHER | REGEX_BEFORE_WORD),
           true;
  case '>':
    return is(parser, REGEX_T_ANCHOR, REGEX_AFTER_WORD | REGEX_BEFORE_OTHER),
           true;
  case '`':
    return is(parser, REGEX_T_ANCHOR, REGEX_AFTER_BUFFER), true;
  case '\'':
    return is(parser, REGEX_T_ANCHOR, REGEX_BEFORE_BUFFER), true;
  case 'b':
  case 'B':
    return is(parser, REGEX_T_BOUNDARY, letter), true;
  case 'w':
  case 'W':
  case 's':
  case 'S':
    return is(parser, REGEX_T_CLASS, letter), true;
  default:
    if (letter < '1' || letter > '9')
      return false;
    return is(parser, REGEX_T_REFERENCE, letter - (uint32_t)'0'), true;
  }
}

/// The operator `letter`, which has a backslash before it in a basic expression
/// and none in an extended one; REGEX_T_CHARACTER if it is none.
static enum regex_token operator_of(unsigned char letter) {
  switch (letter) {
  case '(':
    return REGEX_T_OPEN;
  case ')':
    return REGEX_T_CLOSE;
  case '|':
    return REGEX_T_ALTERNATIVE;
  case '+':
    return REGEX_T_PLUS;
  case '?':
    return REGEX_T_QUESTION;
  case '{':
    return REGEX_T_OPEN_INTERVAL;
  case '}':
    return REGEX_T_CLOSE_INTERVAL;
  default:
    return REGEX_T_CHARACTER;
  }
}

/// In a basic expression $ is an anchor at the end and before \) and \|.
static bool dollar_is_anchor(const regex_parser *parser) {
  const unsigned char *behind = parser->at + 1;
  return parser->extended || behind == parser->end ||
         (*behind == '\\' && behind + 1 < parser->end &&
          (behind[1] == ')' || behind[1] == '|'));
}

static void read_escape(regex_parser *parser) {
  if (++parser->at == parser->end)
    return is(parser, REGEX_T_BACKSLASH, 0);
  const unsigned char letter = *parser->at;
  const enum regex_token token =
      parser->extended ? REGEX_T_CHARACTER : operator_of(letter);
  if (token != REGEX_T_CHARACTER)
    is(parser, token, 0);
  else if (!read_word_operator(parser, letter))
    return is(parser, REGEX_T_CHARACTER, __regex_read_character(parser));
  ++parser->at;
}

void __regex_read_token(regex_parser *parser, bool caret_here) {
  if (parser->at == parser->end)
    return is(parser, REGEX_T_END, 0);
  const unsigned char letter = *parser->at;
  const enum regex_token token =
      parser->extended ? operator_of(letter) : REGEX_T_CHARACTER;
  if (letter == '\\')
    return read_escape(parser);
  if (token != REGEX_T_CHARACTER)
    is(parser, token, letter);
  else if (letter == '*')
    is(parser, REGEX_T_STAR, letter);
  else if (letter == '.')
    is(parser, REGEX_T_ANY, 0);
  else if (letter == '[')
    is(parser, REGEX_T_BRACKET, 0);
  else if (letter == '^' &&
           (parser->extended || caret_here || parser->at == parser->begin))
    is(parser, REGEX_T_ANCHOR, REGEX_AFTER_LINE);
  else if (letter == '$' && dollar_is_anchor(parser))
    is(parser, REGEX_T_ANCHOR, REGEX_BEFORE_LINE);
  else
    return is(parser, REGEX_T_CHARACTER, __regex_read_character(parser));
  ++parser->at;
}
