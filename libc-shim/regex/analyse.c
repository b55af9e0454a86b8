//===-- libc-shim/regex/analyse.c - Facts about a program, computed once --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes classes of bytes that no node distinguishes, the bytes with which
// each node can begin, and the bytes with which a match can begin.
//===----------------------------------------------------------------------===//
#include "characters.h"
#include "groups.h"
#include <stdlib.h>
#include <string.h>

/// The state of classify_bytes(), which begins with one class and splits it.
typedef struct {
  regex_program *program;
  uint16_t *pairs; ///< class << 8 | answer, one for each new class; at most 256
  uint32_t count;  ///< number of classes
} splitter;

/// Splits the classes so that bytes with different answers are in different
/// classes. The class of byte 0 stays 0.
static void split_by(splitter *s, const uint8_t answers[256]) {
  uint8_t *class_of = s->program->class_of;
  s->count = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const uint16_t pair = (uint16_t)(class_of[byte] << 8 | answers[byte]);
    uint32_t i = s->count; // from the end: neighbours mostly share a class
    while (i > 0 && s->pairs[i - 1] != pair)
      --i;
    if (i == 0)
      s->pairs[s->count++] = pair, i = s->count;
    class_of[byte] = (uint8_t)(i - 1);
  }
}

/// True if bytes from 0x80 on need classes of their own, because a node
/// distinguishes characters beyond ASCII.
static bool tells_wide_apart(const regex_program *program) {
  if (!program->utf8)
    return false;
  if (program->fold_case || program->word_asserts)
    return true;
  for (uint32_t i = 0; i < program->set_count; ++i)
    if (program->sets[i].range_count || program->sets[i].classes)
      return true;
  for (uint32_t i = 0; i < program->count; ++i)
    if (program->nodes[i].op == REGEX_CHARACTER &&
        program->nodes[i].first >= 0x80)
      return true;
  return false;
}

/// A number for the role of a byte in UTF-8: bytes with the same number can
/// follow, and be followed by, the same bytes.
static uint8_t role_in_utf8(unsigned byte) {
  static const uint8_t leads[] = {2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                  3, 3, 4, 3, 3, 5, 6, 6, 6, 7};
  if (byte < 0xc2)
    return byte < 0x80   ? 0
           : byte < 0x90 ? 8
           : byte < 0xa0 ? 9
           : byte < 0xc0 ? 10
                         : 1;
  if (byte < 0xe0)
    return 11;
  return byte < 0xf5 ? leads[byte - 0xe0] : 1;
}

/// Gives byte 0, which ends a string, a class of its own, and splits bytes
/// beyond ASCII by their role in UTF-8.
static void split_by_role(splitter *s, uint8_t answers[256]) {
  const regex_program *program = s->program;
  const bool apart = tells_wide_apart(program);
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (program->utf8 && byte >= 0x80)
      answers[byte] = apart ? (uint8_t)byte : role_in_utf8(byte);
    else
      answers[byte] = byte == 0                          ? 20
                      : byte == '\n' && program->newline ? 21
                                                         : 0;
  }
  split_by(s, answers);
}

/// Gives each character that a node names a class of its own, together with its
/// other case for REG_ICASE.
static void split_by_name(splitter *s, uint8_t answers[256]) {
  const regex_program *program = s->program;
  memset(answers, 0, 256);
  for (uint32_t i = 0; i < program->count; ++i)
    if (program->nodes[i].op == REGEX_CHARACTER &&
        program->nodes[i].first < program->low_end)
      answers[program->nodes[i].first] = (uint8_t)program->nodes[i].first;
  for (unsigned byte = 0; program->fold_case && byte < program->low_end; ++byte)
    answers[byte] = answers[__regex_fold(program, byte)];
  split_by(s, answers);
}

static bool classify_bytes(regex_program *program) {
  splitter s = {.program = program,
                .pairs = malloc(256 * sizeof(uint16_t) + 256)};
  if (!s.pairs)
    return false;
  uint8_t *answers = (uint8_t *)(s.pairs + 256);
  memset(program->class_of, 0, sizeof program->class_of);
  split_by_role(&s, answers);
  split_by_name(&s, answers);
  for (uint32_t i = 0; i < program->set_count; ++i) {
    memset(answers, 0, 256);
    for (unsigned byte = 0; byte < program->low_end; ++byte)
      answers[byte] = __regex_in_set(program, program->sets + i,
                                     __regex_fold(program, byte));
    split_by(&s, answers);
  }
  memset(answers, 0, 256);
  for (unsigned byte = 0; program->word_asserts && byte < program->low_end;
       ++byte)
    answers[byte] = __regex_context_of(program, byte) == REGEX_IN_WORD;
  split_by(&s, answers);
  program->class_count = s.count;
  program->exact = s.count <= REGEX_BEGIN_BITS;
  for (unsigned byte = 0; byte < 256; ++byte)
    program->bit_of[byte] = program->class_of[byte] % REGEX_BEGIN_BITS;
  for (unsigned byte = 256; byte-- > 0;)
    program->representative[program->class_of[byte]] = (uint8_t)byte;
  free(s.pairs);
  return true;
}

/// The first byte of the UTF-8 form of a character beyond ASCII.
static unsigned lead_of(uint32_t character) {
  return character < 0x800     ? 0xc0 | character >> 6
         : character < 0x10000 ? 0xe0 | character >> 12
                               : 0xf0 | character >> 18;
}

/// True if the node can take a character that begins with this byte.
static bool can_take(const regex_program *program, const regex_node *node,
                     unsigned byte) {
  if (byte < program->low_end)
    return __regex_takes(program, node, __regex_fold(program, byte));
  if (regex_length((unsigned char)byte) == 1)
    return false;
  return node->op != REGEX_CHARACTER || program->fold_case ||
         (node->first >= 0x80 && lead_of(node->first) == byte);
}

static uint64_t begins_of(const regex_program *program, uint32_t index) {
  const regex_node *node = program->nodes + index;
  uint64_t bits = 0;
  switch ((enum regex_op)node->op) {
  case REGEX_CHARACTER:
  case REGEX_ANY:
  case REGEX_SET:
    for (uint32_t class = 0; class < program->class_count; ++class)
      if (can_take(program, node, program->representative[class]))
        bits |= UINT64_C(1) << class % REGEX_BEGIN_BITS;
    return bits;
  case REGEX_CHOICE:
    return program->begins[node->first] | program->begins[node->second];
  case REGEX_JUMP:
    return program->begins[node->first];
  case REGEX_REFERENCE:
    return UINT64_MAX;
  case REGEX_MATCH:
    return program->referenced ? UINT64_MAX : REGEX_BEGINS_AT_END;
  default:
    return program->begins[index + 1];
  }
}

static void find_begins(regex_program *program) {
  bool changed = true;
  for (uint32_t i = 0; i < program->count; ++i)
    program->begins[i] =
        program->nodes[i].op <= REGEX_SET ? begins_of(program, i) : 0;
  while (changed) {
    changed = false;
    for (uint32_t i = program->count; i-- > 0;) {
      const uint64_t bits = program->nodes[i].op <= REGEX_SET
                                ? program->begins[i]
                                : begins_of(program, i);
      changed |= bits != program->begins[i];
      program->begins[i] = bits;
    }
  }
}

/// Facts about the nodes with which a match can begin.
typedef struct {
  bool anchored; ///< all are behind an assertion of the buffer's begin
  bool plain;    ///< all consume a character
} first_nodes;

/// Notes the facts of one node. True if the search must go on to the nodes that
/// follow it.
static bool look_at_first(const regex_program *program, const regex_node *node,
                          first_nodes *found) {
  const bool at_begin = node->first & REGEX_AFTER_BUFFER ||
                        (node->first & REGEX_AFTER_LINE && !program->newline);
  if (node->op <= REGEX_SET)
    return found->anchored = false;
  if (node->op >= REGEX_REFERENCE)
    return found->anchored = found->plain = false;
  if (node->op != REGEX_ASSERT)
    return true;
  found->plain = false;
  return !at_begin;
}

static bool find_first_nodes(const regex_program *program, first_nodes *found) {
  const uint32_t total = program->count;
  uint32_t *stack = malloc((2 * total + 1) * sizeof(uint32_t)), count = 0;
  uint8_t *reached = calloc(total, 1);
  *found = (first_nodes){true, true};
  if (stack && reached)
    stack[count++] = 0;
  while (count) {
    const uint32_t i = stack[--count];
    const regex_node *node = program->nodes + i;
    if (reached[i])
      continue;
    reached[i] = 1;
    if (!look_at_first(program, node, found))
      continue;
    if (node->op == REGEX_CHOICE)
      stack[count++] = node->second;
    stack[count++] = node->op == REGEX_CHOICE || node->op == REGEX_JUMP
                         ? node->first
                         : i + 1;
  }
  const bool done = stack && reached;
  free(stack);
  free(reached);
  return done;
}

static bool find_first_bytes(regex_program *program) {
  first_nodes first;
  if (!find_first_nodes(program, &first))
    return false;
  program->anchored = first.anchored;
  program->skips = first.plain;
  unsigned bytes = 0;
  for (unsigned byte = 1; byte < 256; ++byte) {
    program->may_begin[byte] = program->begins[0] >> program->bit_of[byte] & 1;
    if (program->may_begin[byte])
      ++bytes, program->only_byte = (int)byte;
  }
  if (bytes != 1)
    program->only_byte = -1;
  program->may_begin[0] = true; // so that a search stops at a string's end
  return true;
}

/// Finds the one-byte characters with which every match begins.
static void find_prefix(regex_program *program) {
  for (uint32_t i = 0; !program->fold_case;) {
    const regex_node *node = program->nodes + i;
    if (node->op == REGEX_CHARACTER && node->first < program->low_end &&
        program->prefix_length < REGEX_PREFIX)
      program->prefix[program->prefix_length++] = (uint8_t)node->first;
    else if (node->op != REGEX_OPEN && node->op != REGEX_CLOSE)
      return; // from here on matches may differ
    ++i;
  }
}

/// Finds the nodes of which states consist: those that consume a character, and
/// assertions about the text behind a place.
static void find_solid(regex_program *program) {
  for (uint32_t i = 0; i < program->count; ++i) {
    const regex_node *node = program->nodes + i;
    if (node->op <= REGEX_SET || node->op >= REGEX_REFERENCE ||
        (node->op == REGEX_ASSERT && node->first & REGEX_BEFORE))
      program->solid[i / 64] |= UINT64_C(1) << i % 64;
  }
}

bool __regex_analyse(regex_program *program) {
  program->begins = malloc(program->count * sizeof(uint64_t));
  program->solid = calloc((program->count + 63) / 64, sizeof(uint64_t));
  if (!program->begins || !program->solid || !classify_bytes(program))
    return false;
  find_begins(program);
  find_solid(program);
  find_prefix(program);
  return find_first_bytes(program);
}
