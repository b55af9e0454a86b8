//===-- libc-shim/regex/program.h - A compiled regular expression ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// regcomp() turns an expression into a program: nodes of a non-deterministic
// automaton. automaton.h finds where a match ends, groups.h finds what its
// parenthesised groups matched.
//
// A node that consumes a character is followed by the next one in the array.
// The order of a choice's two ways, and how intervals are copied, decide what
// groups report where several paths match the same text; both are glibc's.
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
  REGEX_CLOSE,     ///< and ends. `second`: inside an optional copy
  REGEX_ASSERT,    ///< `first` are conditions
  REGEX_REFERENCE, ///< the text of group `first` again
  REGEX_MATCH      ///< the expression has matched
};

/// Conditions of an assertion: on what is before the place, and behind it.
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

/// What stands beside a place in the text, as bits.
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

/// Characters. `low` decides for the codes below `low_end` of the program;
/// the others are in the set where a range or a class holds them, or where none
/// does if the set is negated.
typedef struct {
  uint32_t low[8];
  bool negated;
  uint32_t first_range, range_count; ///< in the program's ranges
  uint32_t classes;                  ///< bits: the indices of regex_class_names
} regex_set;

#define REGEX_PREFIX 15
#define REGEX_CACHES 32 ///< that wait for the next call

typedef struct regex_cache regex_cache;

typedef struct {
  regex_node *nodes;
  regex_set *sets;
  regex_range *ranges;
  uint64_t *begins; ///< per node: REGEX_BEGIN_BIT of what it can begin with
  uint64_t *solid;  ///< a bit set: the nodes that states consist of
  uint32_t count;   ///< of nodes
  uint32_t set_count, range_count;
  uint32_t groups;       ///< parenthesised ones
  uint32_t referenced;   ///< bit N: \N occurs
  uint32_t class_count;  ///< of bytes; class 0 is that of the byte 0 alone
  int only_byte;         ///< every match begins with it, or -1
  uint8_t prefix_length; ///< bytes of `prefix` that every match begins with
  uint8_t prefix[REGEX_PREFIX];
  uint32_t low_end; ///< 128 where characters are UTF-8, else 256
  bool utf8, fold_case, newline, no_groups;
  bool asserts;                ///< has a node REGEX_ASSERT
  bool word_asserts;           ///< and one that looks for words
  bool anchored;               ///< matches at the buffer's begin only
  bool skips;                  ///< `may_begin` says where no match begins
  bool restores;               ///< an optional group may match nothing
  bool loops_empty;            ///< a repeated part may match nothing
  bool exact;                  ///< each bit of `begins` is one class
  uint8_t class_of[256];       ///< bytes of a class are never told apart
  uint8_t bit_of[256];         ///< of `begins`, for each byte
  uint8_t representative[256]; ///< a byte of each class
  bool may_begin[256];         ///< a match can begin with this byte
  regex_cache *_Atomic caches[REGEX_CACHES];
} regex_program;

/// Compiles `pattern`: 0 and *result, or one of regcomp()'s errors.
int __regex_compile(const char *pattern, int flags, regex_program **result);

/// Fills in what regexec() needs to know of the nodes. False without memory.
bool __regex_analyse(regex_program *program);

/// Frees the program and its caches.
void __regex_free(regex_program *program);

/// Makes room for one more element than *capacity in an array that malloc()
/// gave. False without memory; the array is as it was.
bool __regex_grow(void *array, size_t element, uint32_t count,
                  uint32_t *capacity);

#endif
