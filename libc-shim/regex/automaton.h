//===-- libc-shim/regex/automaton.h - Where a match ends ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A deterministic automaton, made while it runs: a state is a set of nodes of
// the program; a transition is made when it is first taken, and kept. Each byte
// of a UTF-8 character but the last leads to a state that stores the bytes
// read.
//
// A cache has the states and all other memory that a call of regexec() needs.
// One call at a time uses a cache; the program keeps the unused ones.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_AUTOMATON_H
#define GPUEXEC_LIBC_REGEX_AUTOMATON_H

#include "characters.h"

typedef struct {
  uint32_t next;    ///< next state with the same hash, or 0
  uint8_t before;   ///< if `pending`: the context on the left
  uint8_t count;    ///< number of bytes read of an incomplete character
  uint8_t bytes[3]; ///< these bytes
  bool anywhere;    ///< a match may also begin here
  bool fresh;       ///< and no match has begun before
  bool pending;     ///< has assertions about the text on the right
} regex_state;

/// A choice that groups.c can go back to: the other node, and the walk's place,
/// number of events and mark.
typedef struct {
  uint32_t node, place, events, mark;
  bool is_first; ///< `node` is the first way of a choice
} regex_choice;

typedef struct {
  uint32_t what;     ///< an event of groups.c
  uint32_t place;    ///< bytes from the text's begin
  uint32_t previous; ///< index + 1 of the event before for the same group
} regex_event;

/// Memory of groups.c that is kept between calls.
typedef struct {
  regex_choice *choices;
  regex_event *events;
  regmatch_t *before; ///< all groups, after one last matched a non-empty text
  uint32_t choice_capacity, event_capacity, before_capacity;
} regex_scratch;

#define REGEX_HEADS 128

/// Each state has a row: an entry for each class of bytes, then a word about
/// the state (REGEX_ACCEPTS, REGEX_FRESH). An entry is 0 before its transition
/// is made; else it is the offset in `rows` of the next state's row, plus
/// REGEX_SPECIAL if that row's word is not 0.
struct regex_cache {
  const regex_program *program;
  uint32_t *rows;
  regex_state *states;
  uint64_t *sets;     ///< each state's set of nodes: `words` words
  uint64_t *now, *to; ///< sets of nodes before and after a transition
  uint32_t *stack;
  uint32_t words, stride, count, capacity, most;
  uint32_t heads[REGEX_HEADS];
  uint32_t starts[16]; ///< entries of the states in which runs begin
  bool failed;         ///< there was no memory
  regex_scratch scratch;
};

#define REGEX_SPECIAL 0x80000000u
#define REGEX_DEAD REGEX_SPECIAL ///< no match from here on
#define REGEX_FRESH 32u          ///< no match has begun before here
#define REGEX_ACCEPTS 31u        ///< bits of the BEFORE_... where a match ends
enum { BEFORE_OTHER, BEFORE_WORD, BEFORE_NEWLINE, BEFORE_END, BEFORE_CUT_END };

/// Takes an unused cache of the program, or makes one. Null without memory.
regex_cache *__regex_take_cache(regex_program *program);
void __regex_give_cache(regex_program *program, regex_cache *cache);
void __regex_free_cache(regex_cache *cache);

/// The entry of the state in which a run begins; 0 without memory. `before`:
/// the context on the left; `anywhere`: a match may also begin later.
uint32_t __regex_start(regex_cache *cache, unsigned before, bool anywhere);

/// Makes the transition of a state for a byte and returns its entry; 0 without
/// memory. Pointers to rows and states are invalid after this.
uint32_t __regex_make(regex_cache *cache, uint32_t row, unsigned char byte);

#endif
