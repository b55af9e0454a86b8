//===-- libc-shim/regex/automaton.c - States and transitions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "automaton.h"
#include <stdlib.h>
#include <string.h>

enum {
  CACHE_BYTES = 128 << 10, ///< when states need more, all are dropped
  LEAST_STATES = 16,       ///< a cache has room for at least this many
  UNKNOWN = -1             ///< the context behind the place is not known yet
};

static const uint8_t contexts_behind[] = {[BEFORE_OTHER] = 0,
                                          [BEFORE_WORD] = REGEX_IN_WORD,
                                          [BEFORE_NEWLINE] = REGEX_LINE_ENDS,
                                          [BEFORE_END] = REGEX_LINE_ENDS |
                                                         REGEX_BUFFER_ENDS,
                                          [BEFORE_CUT_END] = REGEX_BUFFER_ENDS};

static bool has(const uint64_t *set, uint32_t node) {
  return set[node / 64] >> node % 64 & 1;
}

/// Adds to a set a node and all nodes that can be reached from it without
/// consuming a character. `before` and `behind` are the contexts of the place.
/// `behind` may be UNKNOWN: then assertions about it stay in the set.
static void reach(regex_cache *cache, uint64_t *set, uint32_t node,
                  unsigned before, int behind) {
  const regex_node *nodes = cache->program->nodes;
  uint32_t count = 0;
  cache->stack[count++] = node;
  while (count) {
    const uint32_t i = cache->stack[--count];
    const regex_node *n = nodes + i;
    if (has(set, i))
      continue;
    set[i / 64] |= UINT64_C(1) << i % 64;
    if (n->op <= REGEX_SET || n->op == REGEX_MATCH)
      continue;
    if (n->op == REGEX_ASSERT) {
      const bool waits = behind == UNKNOWN && n->first & REGEX_BEFORE;
      const bool holds =
          __regex_holds(behind == UNKNOWN ? n->first & ~REGEX_BEFORE : n->first,
                        before, behind == UNKNOWN ? 0 : (unsigned)behind);
      if (!holds)
        set[i / 64] &= ~(UINT64_C(1) << i % 64);
      if (waits || !holds)
        continue;
    }
    if (n->op == REGEX_CHOICE)
      cache->stack[count++] = n->second;
    cache->stack[count++] =
        n->op == REGEX_CHOICE || n->op == REGEX_JUMP ? n->first : i + 1;
  }
}

/// Adds to a state's set the nodes behind those of its assertions that hold,
/// now that the contexts on both sides are known.
static void resolve(regex_cache *cache, uint64_t *set, unsigned before,
                    unsigned behind) {
  const regex_program *program = cache->program;
  for (uint32_t i = 0; i < program->count; ++i)
    if (has(set, i) && program->nodes[i].op == REGEX_ASSERT &&
        __regex_holds(program->nodes[i].first, before, behind))
      reach(cache, set, i + 1, before, (int)behind);
}

static size_t set_bytes(const regex_cache *cache) {
  return cache->words * sizeof(uint64_t);
}

/// The bits REGEX_ACCEPTS of a state: the contexts before which a match may end
/// in it.
static uint32_t accepts(regex_cache *cache, const uint64_t *set,
                        const regex_state *state) {
  const uint32_t last = cache->program->count - 1;
  if (has(set, last))
    return REGEX_ACCEPTS;
  uint32_t bits = 0;
  for (unsigned kind = 0; state->pending && kind <= BEFORE_CUT_END; ++kind) {
    memcpy(cache->now, set, set_bytes(cache));
    resolve(cache, cache->now, state->before, contexts_behind[kind]);
    bits |= (uint32_t)has(cache->now, last) << kind;
  }
  return bits;
}

/// Makes room for one more state; drops all states if there are cache->most.
/// False without memory.
static bool make_room(regex_cache *cache) {
  if (cache->count < cache->capacity)
    return true;
  if (cache->count >= cache->most) {
    cache->count = 1;
    memset(cache->heads, 0, sizeof cache->heads);
    memset(cache->starts, 0, sizeof cache->starts);
    return true;
  }
  uint32_t larger = cache->capacity ? cache->capacity * 2 : 8;
  if (larger > cache->most)
    larger = cache->most;
  uint32_t *rows =
      realloc(cache->rows, larger * cache->stride * sizeof(uint32_t));
  cache->rows = rows ? rows : cache->rows;
  regex_state *states = realloc(cache->states, larger * sizeof(regex_state));
  cache->states = states ? states : cache->states;
  uint64_t *sets = realloc(cache->sets, larger * set_bytes(cache));
  cache->sets = sets ? sets : cache->sets;
  if (!rows || !states || !sets)
    return false;
  cache->capacity = larger;
  return true;
}

static bool same(const regex_state *one, const regex_state *other) {
  return one->before == other->before && one->count == other->count &&
         one->anywhere == other->anywhere && one->fresh == other->fresh &&
         !memcmp(one->bytes, other->bytes, one->count);
}

static uint32_t hash_of(const regex_cache *cache, const uint64_t *set,
                        const regex_state *state) {
  uint64_t hash = state->before + state->count * 8u + state->anywhere * 64u +
                  state->fresh * 128u;
  for (unsigned i = 0; i < state->count; ++i)
    hash = hash * 257 + state->bytes[i];
  for (uint32_t i = 0; i < cache->words; ++i)
    hash = (hash ^ set[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
  return (uint32_t)(hash >> 20) % REGEX_HEADS;
}

static uint32_t entry_of(const regex_cache *cache, uint32_t index) {
  const uint32_t row = index * cache->stride;
  return row | (cache->rows[row + cache->stride - 1] ? REGEX_SPECIAL : 0);
}

/// The entry of a state, which is made if it is new; 0 without memory. `set`
/// must not be in cache->sets, which may move.
static uint32_t find_state(regex_cache *cache, const uint64_t *set,
                           regex_state state) {
  const uint32_t hash = hash_of(cache, set, &state);
  for (uint32_t i = cache->heads[hash]; i; i = cache->states[i].next)
    if (same(&state, cache->states + i) &&
        !memcmp(set, cache->sets + i * cache->words, set_bytes(cache)))
      return entry_of(cache, i);
  if (!make_room(cache))
    return cache->failed = true, 0;
  const uint32_t index = cache->count++;
  uint32_t *row = cache->rows + index * cache->stride;
  memset(row, 0, cache->stride * sizeof(uint32_t));
  row[cache->stride - 1] = state.count ? 0
                                       : (state.fresh ? REGEX_FRESH : 0) |
                                             accepts(cache, set, &state);
  state.next = cache->heads[hash];
  cache->heads[hash] = index;
  cache->states[index] = state;
  memcpy(cache->sets + index * cache->words, set, set_bytes(cache));
  return entry_of(cache, index);
}

/// Makes the state of the set cache->to, which was reached with the context
/// `before` on the left. Returns its entry.
static uint32_t enter(regex_cache *cache, unsigned before, bool anywhere) {
  const regex_program *program = cache->program;
  regex_state state = {.anywhere = anywhere, .fresh = anywhere};
  bool dead = true;
  for (uint32_t i = 0; anywhere && i < cache->words; ++i)
    state.fresh &= !(cache->to[i] & program->solid[i]);
  if (anywhere)
    reach(cache, cache->to, 0, before, UNKNOWN);
  for (uint32_t i = 0; i < cache->words; ++i) {
    cache->to[i] &= program->solid[i];
    dead &= cache->to[i] == 0;
  }
  if (dead && !anywhere)
    return REGEX_DEAD;
  for (uint32_t i = 0; program->asserts && i < program->count && !state.pending;
       ++i)
    state.pending = program->nodes[i].op == REGEX_ASSERT && has(cache->to, i);
  if (state.pending)
    state.before = (uint8_t)before;
  return find_state(cache, cache->to, state);
}

uint32_t __regex_start(regex_cache *cache, unsigned before, bool anywhere) {
  uint32_t *start = cache->starts + before * 2 + anywhere;
  if (*start)
    return *start;
  memset(cache->to, 0, set_bytes(cache));
  if (!anywhere)
    reach(cache, cache->to, 0, before, UNKNOWN);
  const uint32_t entry = enter(cache, before, anywhere);
  return *start = entry;
}

/// Computes the set cache->to, which the nodes of cache->now reach by consuming
/// the character.
static void step(regex_cache *cache, const regex_state *state,
                 uint32_t character) {
  const regex_program *program = cache->program;
  const unsigned context =
      program->asserts ? __regex_context_of(program, character) : 0;
  const uint32_t folded = __regex_fold(program, character);
  if (state->pending)
    resolve(cache, cache->now, state->before, context);
  memset(cache->to, 0, set_bytes(cache));
  for (uint32_t word = 0; word < cache->words; ++word)
    for (uint64_t left = cache->now[word] & program->solid[word]; left;
         left &= left - 1) {
      const uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
      const regex_node *node = program->nodes + i;
      if (node->op == REGEX_REFERENCE) // any text: groups.c compares it
        reach(cache, cache->to, i, context, UNKNOWN);
      else if (node->op <= REGEX_SET && __regex_takes(program, node, folded))
        reach(cache, cache->to, i + 1, context, UNKNOWN);
    }
}

/// Makes the transition of `state`, whose set is cache->now, for a byte.
/// Returns the entry of the state reached.
static uint32_t make(regex_cache *cache, regex_state state,
                     unsigned char byte) {
  const regex_program *program = cache->program;
  unsigned char bytes[4] = {state.bytes[0], state.bytes[1], state.bytes[2]};
  unsigned length = 1;
  uint32_t character = byte;
  bytes[state.count] = byte;
  if (program->utf8)
    character = __regex_decode(bytes, state.count + 1u, &length);
  if (length == 0) {
    state.bytes[state.count++] = byte;
    return find_state(cache, cache->now, state);
  }
  // The bytes before were no character: `byte` begins a new one.
  const bool broken = length < state.count + 1u;
  step(cache, &state, character);
  const uint32_t entry = enter(
      cache, program->asserts ? __regex_context_of(program, character) : 0,
      state.anywhere);
  if (!broken || entry == REGEX_DEAD || entry == 0)
    return entry;
  const uint32_t index = (entry & ~REGEX_SPECIAL) / cache->stride;
  memcpy(cache->now, cache->sets + index * cache->words, set_bytes(cache));
  return make(cache, cache->states[index], byte);
}

uint32_t __regex_make(regex_cache *cache, uint32_t row, unsigned char byte) {
  const regex_program *program = cache->program;
  const uint32_t index = row / cache->stride, class = program->class_of[byte];
  const regex_state state = cache->states[index];
  memcpy(cache->now, cache->sets + index * cache->words, set_bytes(cache));
  const uint32_t count = cache->count;
  const uint32_t entry = make(cache, state, program->representative[class]);
  // Not stored for byte 0, which may be a string's end, and not if all states
  // were dropped meanwhile (then `row` is another state's).
  if (entry && byte != 0 && cache->count >= count)
    cache->rows[row + class] = entry;
  return entry;
}

static regex_cache *new_cache(const regex_program *program) {
  regex_cache *cache = calloc(1, sizeof(regex_cache));
  if (!cache)
    return NULL;
  cache->program = program;
  cache->words = (program->count + 63) / 64;
  cache->stride = program->class_count + 1;
  cache->count = 1; // state 0 is not used, because entry 0 means "not made"
  const size_t size =
      cache->stride * sizeof(uint32_t) + sizeof(regex_state) + set_bytes(cache);
  cache->most = (uint32_t)(CACHE_BYTES / size);
  if (cache->most < LEAST_STATES)
    cache->most = LEAST_STATES;
  cache->now = malloc(2 * set_bytes(cache));
  cache->stack = malloc((2 * program->count + 1) * sizeof(uint32_t));
  if (!cache->now || !cache->stack)
    return __regex_free_cache(cache), NULL;
  cache->to = cache->now + cache->words;
  return cache;
}

void __regex_free_cache(regex_cache *cache) {
  free(cache->rows);
  free(cache->states);
  free(cache->sets);
  free(cache->now);
  free(cache->stack);
  free(cache->scratch.choices);
  free(cache->scratch.events);
  free(cache->scratch.before);
  free(cache);
}

regex_cache *__regex_take_cache(regex_program *program) {
  for (unsigned i = 0; i < REGEX_CACHES; ++i) {
    if (!__c11_atomic_load(program->caches + i, __ATOMIC_RELAXED))
      continue;
    regex_cache *cache =
        __c11_atomic_exchange(program->caches + i, NULL, __ATOMIC_ACQUIRE);
    if (cache)
      return cache;
  }
  return new_cache(program);
}

void __regex_give_cache(regex_program *program, regex_cache *cache) {
  for (unsigned i = 0; i < REGEX_CACHES; ++i) {
    regex_cache *none = NULL;
    if (__c11_atomic_compare_exchange_strong(program->caches + i, &none, cache,
                                             __ATOMIC_RELEASE,
                                             __ATOMIC_RELAXED))
      return;
  }
  __regex_free_cache(cache);
}
