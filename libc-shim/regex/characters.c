//===-- libc-shim/regex/characters.c - Characters of a text ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "characters.h"
#include <ctype.h>
#include <string.h>
#include <wctype.h>

static const char class_names[][8] = {"alnum", "alpha", "blank", "cntrl",
                                      "digit", "graph", "lower", "print",
                                      "punct", "space", "upper", "xdigit"};

int __regex_class(const char *name, size_t length) {
  for (unsigned i = 0; i < sizeof class_names / sizeof *class_names; ++i)
    if (strlen(class_names[i]) == length &&
        !memcmp(class_names[i], name, length))
      return (int)i;
  return -1;
}

static bool byte_in_class(int class, int byte) {
  switch (class) {
  case 0:
    return isalnum(byte);
  case 1:
    return isalpha(byte);
  case 2:
    return isblank(byte);
  case 3:
    return iscntrl(byte);
  case 4:
    return isdigit(byte);
  case 5:
    return isgraph(byte);
  case 6:
    return islower(byte);
  case 7:
    return isprint(byte);
  case 8:
    return ispunct(byte);
  case 9:
    return isspace(byte);
  case 10:
    return isupper(byte);
  default:
    return isxdigit(byte);
  }
}

bool __regex_in_class(int class, uint32_t character, bool wide) {
  if (!wide)
    return byte_in_class(class, (int)character);
  return iswctype((wint_t)character, wctype(class_names[class])) != 0;
}

uint32_t __regex_decode(const unsigned char *bytes, unsigned count,
                        unsigned *length) {
  const unsigned char lead = bytes[0];
  const unsigned needed = regex_length(lead);
  *length = 1;
  if (needed == 1)
    return lead < 0x80 ? lead : REGEX_NO_CHARACTER;
  uint32_t code = lead & (0x7fu >> needed);
  for (unsigned i = 1; i < needed; ++i) {
    if (i == count)
      return *length = 0, REGEX_NO_CHARACTER;
    const unsigned char byte = bytes[i];
    // Overlong forms, surrogates and codes that are too large show in the
    // second byte.
    const unsigned char least = i > 1          ? 0x80
                                : lead == 0xe0 ? 0xa0
                                : lead == 0xf0 ? 0x90
                                               : 0x80;
    const unsigned char most = i > 1          ? 0xbf
                               : lead == 0xed ? 0x9f
                               : lead == 0xf4 ? 0x8f
                                              : 0xbf;
    if (byte < least || byte > most)
      return REGEX_NO_CHARACTER;
    code = code << 6 | (byte & 0x3fu);
  }
  *length = needed;
  return code;
}

uint32_t __regex_next(const regex_program *program, const regex_text *text,
                      const unsigned char *place, unsigned *length) {
  *length = 1;
  if (!program->utf8 || *place < 0x80)
    return *place;
  const size_t left = text->end ? (size_t)(text->end - place) : 4;
  const uint32_t code =
      __regex_decode(place, left < 4 ? (unsigned)left : 4, length);
  if (*length == 0) // cut off by the text's end
    *length = 1;
  return code;
}

uint32_t __regex_fold(const regex_program *program, uint32_t character) {
  if (!program->fold_case)
    return character;
  if (character < program->low_end)
    return (uint32_t)toupper((int)character);
  return character > REGEX_LAST_CHARACTER
             ? character
             : (uint32_t)towupper((wint_t)character);
}

bool __regex_in_set(const regex_program *program, const regex_set *set,
                    uint32_t character) {
  if (character < program->low_end)
    return set->low[character / 32] >> character % 32 & 1;
  if (character > REGEX_LAST_CHARACTER)
    return false;
  const regex_range *range = program->ranges + set->first_range;
  for (uint32_t i = 0; i < set->range_count; ++i)
    if (character >= range[i].from && character <= range[i].to)
      return !set->negated;
  for (uint32_t left = set->classes; left; left &= left - 1)
    if (__regex_in_class(__builtin_ctz(left), character, true))
      return !set->negated;
  return set->negated;
}

bool __regex_takes(const regex_program *program, const regex_node *node,
                   uint32_t character) {
  if (node->op == REGEX_CHARACTER)
    return node->first == character;
  if (node->op == REGEX_SET)
    return __regex_in_set(program, program->sets + node->first, character);
  return character != 0 && character != REGEX_NO_CHARACTER &&
         !(program->newline && character == '\n');
}

unsigned __regex_context_of(const regex_program *program, uint32_t character) {
  if (character == '\n' && program->newline)
    return REGEX_LINE_ENDS;
  if (!program->word_asserts || character == REGEX_NO_CHARACTER)
    return 0;
  return character == '_' ||
                 __regex_in_class(0, character, character >= program->low_end)
             ? REGEX_IN_WORD
             : 0;
}

unsigned __regex_context_before(const regex_program *program,
                                const regex_text *text,
                                const unsigned char *place) {
  if (!program->asserts)
    return 0;
  if (place == text->begin)
    return text->flags & REG_NOTBOL ? REGEX_BUFFER_ENDS
                                    : REGEX_BUFFER_ENDS | REGEX_LINE_ENDS;
  const unsigned char *before = place - 1;
  if (program->utf8)
    while (before > text->begin && place - before < 4 &&
           (*before & 0xc0) == 0x80)
      --before;
  unsigned length;
  uint32_t character = *before;
  if (program->utf8) {
    character = __regex_decode(before, (unsigned)(place - before), &length);
    if (before + length != place)
      character = REGEX_NO_CHARACTER;
  }
  return __regex_context_of(program, character);
}

unsigned __regex_context_behind(const regex_program *program,
                                const regex_text *text,
                                const unsigned char *place) {
  if (regex_at_end(text, place))
    return text->flags & REG_NOTEOL ? REGEX_BUFFER_ENDS
                                    : REGEX_BUFFER_ENDS | REGEX_LINE_ENDS;
  unsigned length;
  return __regex_context_of(program,
                            __regex_next(program, text, place, &length));
}

bool __regex_holds(uint32_t conditions, unsigned before, unsigned behind) {
  const unsigned after = conditions & 15, ahead = conditions >> 4;
  const unsigned is = (before & REGEX_IN_WORD ? 1 : 2) |
                      (before & REGEX_LINE_ENDS ? 4 : 0) |
                      (before & REGEX_BUFFER_ENDS ? 8 : 0);
  const unsigned will_be = (behind & REGEX_IN_WORD ? 1 : 2) |
                           (behind & REGEX_LINE_ENDS ? 4 : 0) |
                           (behind & REGEX_BUFFER_ENDS ? 8 : 0);
  return !(after & ~is) && !(ahead & ~will_be);
}
