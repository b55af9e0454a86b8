//===-- libc-shim/regex/automaton.h - Where a match ends ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A deterministic automaton, made while it runs: a state is a set of nodes of
// the program, a transition is made when it is first taken and kept. Bytes of a
// UTF-8 character lead through states that remember those before.
//
// A cache has the states and all other memory that a call of regexec() needs.
// One call uses it at a time; the program keeps those that wait.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REGEX_AUTOMATON_H
#define GPUEXEC_LIBC_REGEX_AUTOMATON_H

#include "characters.h"

typedef struct {
  uint32_t next;    ///< state of the same hash, or 0
  uint8_t before;   ///< context, where `pending`
  uint8_t count;    ///< bytes of a character that is not complete
  uint8_t bytes[3]; ///< they
  bool anywhere;    ///< a match may begin here too
  bool fresh;       ///< and none has begun before
  bool pending;     ///< has assertions about what is behind
} regex_state;

typedef struct {
  uint32_t node, place, events, mark;
  bool is_first; ///< `node` is the first way of a choice
} regex_choice;

typedef struct {
  uint32_t what;     ///< an event of groups.c
  uint32_t place;    ///< bytes from the text's begin
  uint32_t previous; ///< index + 1 of the event before for the same group
} regex_event;

/// What groups.c keeps.
typedef struct {
  regex_choice *choices;
  regex_event *events;
  regmatch_t *before; ///< the groups when one last matched some text
  uint32_t choice_capacity, event_capacity, before_capacity;
} regex_scratch;

#define REGEX_HEADS 128

/// A row has an entry for each class of bytes, and a word about its state
/// (REGEX_ACCEPTS, REGEX_FRESH). An entry is 0 before it is made, else the
/// offset of a row with REGEX_SPECIAL, if its word is not 0.
struct regex_cache {
  const regex_program *program;
  uint32_t *rows;
  regex_state *states;
  uint64_t *sets;     ///< of nodes, `words` for each state
  uint64_t *now, *to; ///< sets for the making of a transition
  uint32_t *stack;
  uint32_t words, stride, count, capacity, most;
  uint32_t heads[REGEX_HEADS];
  uint32_t starts[16]; ///< entries of states that runs begin with
  bool failed;         ///< without memory
  regex_scratch scratch;
};

#define REGEX_SPECIAL 0x80000000u
#define REGEX_DEAD REGEX_SPECIAL ///< no match from here on
#define REGEX_FRESH 32u          ///< no match has begun before here
#define REGEX_ACCEPTS 31u        ///< bits: a match ends before ...
enum { BEFORE_OTHER, BEFORE_WORD, BEFORE_NEWLINE, BEFORE_END, BEFORE_CUT_END };

/// A cache that waited, or a new one. Null without memory.
regex_cache *__regex_take_cache(regex_program *program);
void __regex_give_cache(regex_program *program, regex_cache *cache);
void __regex_free_cache(regex_cache *cache);

/// The entry of the state in which a run begins; 0 without memory.
uint32_t __regex_start(regex_cache *cache, unsigned before, bool anywhere);

/// Makes the transition of a state for a byte: its entry, 0 without memory. All
/// states may move.
uint32_t __regex_make(regex_cache *cache, uint32_t row, unsigned char byte);

#endif
