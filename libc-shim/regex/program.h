//===-- libc-shim/regex/program.h - A compiled regular expression ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// regcomp() turns an expression into a program: nodes of a non-deterministic
// automaton. automaton.h finds where a match ends, groups.h finds the texts of
// its parenthesised groups.
//
// A node that consumes a character continues at the next one in the array. If
// several paths match the same text, the order of a choice's two ways and the
// copying of intervals decide which texts the groups report; both are as in
// glibc.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_PROGRAM_H
#define GPUEXEC_LIBC_REGEX_PROGRAM_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a node does. The first three consume one character.
enum regex_op {
  REGEX_CHARACTER, ///< `first` is its code
  REGEX_ANY,       ///< the dot
  REGEX_SET,       ///< `first` is an index into sets
  REGEX_CHOICE,    ///< continues at `first`, else at `second`
  REGEX_JUMP,      ///< continues at `first`
  REGEX_OPEN,      ///< a group begins: its number is `first`
  REGEX_CLOSE,     ///< group `first` ends. `second`: emit.c's OPTIONAL
  REGEX_ASSERT,    ///< `first` has the conditions (enum regex_condition)
  REGEX_REFERENCE, ///< \N: the same text as group `first`
  REGEX_MATCH      ///< the expression has matched
};

/// Conditions of an assertion: about the text on the left of the place (AFTER)
/// and on the right (BEFORE).
enum regex_condition {
  REGEX_AFTER_WORD = 1,
  REGEX_AFTER_OTHER = 2, ///< not behind a character of a word
  REGEX_AFTER_LINE = 4,
  REGEX_AFTER_BUFFER = 8, ///< at the buffer's begin
  REGEX_BEFORE_WORD = 16,
  REGEX_BEFORE_OTHER = 32,
  REGEX_BEFORE_LINE = 64,
  REGEX_BEFORE_BUFFER = 128, ///< at the buffer's end
  REGEX_BEFORE = 240
};

/// The context on one side of a place in the text, as bits.
enum regex_context {
  REGEX_IN_WORD = 1,
  REGEX_LINE_ENDS = 2, ///< a newline (REG_NEWLINE), or the text's begin or end
  REGEX_BUFFER_ENDS = 4
};

typedef struct {
  uint8_t op; ///< enum regex_op
  uint32_t first, second;
} regex_node;

/// A range of codes behind ASCII, both ends included.
typedef struct {
  uint32_t from, to;
} regex_range;

/// A set of characters. For codes below the program's `low_end`, `low` has a
/// bit each. Other codes are in the set if a range or class contains them; if
/// the set is negated, if none does.
typedef struct {
  uint32_t low[8];
  bool negated;
  uint32_t first_range, range_count; ///< in the program's ranges
  uint32_t classes;                  ///< bits: numbers of __regex_class()
} regex_set;

#define REGEX_PREFIX 15
#define REGEX_CACHES 32 ///< the most unused caches that a program keeps

typedef struct regex_cache regex_cache;

typedef struct {
  regex_node *nodes;
  regex_set *sets;
  regex_range *ranges;
  uint64_t *begins; ///< per node: bits of classes of bytes, see groups.h
  uint64_t *solid;  ///< a bit set: the nodes of which states consist
  uint32_t count;   ///< number of nodes
  uint32_t set_count, range_count;
  uint32_t groups;       ///< number of parenthesised groups
  uint32_t referenced;   ///< bit N: \N occurs
  uint32_t class_count;  ///< classes of bytes; class 0 has only the byte 0
  int only_byte;         ///< the byte with which every match begins, or -1
  uint8_t prefix_length; ///< bytes of `prefix` that every match begins with
  uint8_t prefix[REGEX_PREFIX];
  uint32_t low_end; ///< 128 where characters are UTF-8, else 256
  bool utf8, fold_case, newline, no_groups;
  bool asserts;                ///< has a node REGEX_ASSERT
  bool word_asserts;           ///< and one about characters of words
  bool anchored;               ///< matches at the buffer's begin only
  bool skips;                  ///< a search may use `may_begin`
  bool restores;               ///< an optional group may match the empty text
  bool loops_empty;            ///< a loop's body may match the empty text
  bool exact;                  ///< each bit of `begins` is one class
  uint8_t class_of[256];       ///< each byte's class: no node distinguishes two
  uint8_t bit_of[256];         ///< each byte's bit in `begins`
  uint8_t representative[256]; ///< a byte of each class
  bool may_begin[256];         ///< a match can begin with this byte
  regex_cache *_Atomic caches[REGEX_CACHES];
} regex_program;

/// Compiles `pattern`: 0 and *result, or one of regcomp()'s errors.
int __regex_compile(const char *pattern, int flags, regex_program **result);

/// Computes the facts about the nodes that regexec() needs. False without
/// memory.
bool __regex_analyse(regex_program *program);

/// Frees the program and its caches.
void __regex_free(regex_program *program);

/// Makes room for another element in an array of `count` elements of `element`
/// bytes; *array is a pointer from malloc() or null. False without memory; the
/// array is then unchanged.
bool __regex_grow(void *array, size_t element, uint32_t count,
                  uint32_t *capacity);

#endif
