//===-- libc-shim/regex/search.c - The leftmost longest match -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A match is tried at the first place where one can begin. If there is none,
// one run over the text finds where some match ends and the first place where
// it may begin; then matches are tried at the places between. So a text without
// a match is read at most twice.
//===----------------------------------------------------------------------===//
#include "search.h"
#include "groups.h"
#include <string.h>

typedef const unsigned char *position;

typedef struct {
  const regex_program *program;
  regex_cache *cache;
  const regex_text *text;
  size_t count;
  regmatch_t *matches;
  position end; ///< the text's end if the program has \N, else null
} search;

/// The first byte equal to `byte` from `place` on, else the text's end.
static position find_byte(position place, position end, int byte) {
  if (!end)
    return (position)strchrnul((const char *)place, byte);
  const position found = memchr(place, byte, (size_t)(end - place));
  return found ? found : end;
}

/// The first place from `place` on where a match can begin.
static position skip(const search *s, position place) {
  const regex_program *program = s->program;
  const position end = s->text->end;
  if (!program->skips)
    return place;
  while (program->only_byte >= 0) {
    place = find_byte(place, end, program->only_byte);
    if (place == end || *place != program->only_byte)
      return place;
    unsigned same = 1; // stops at a string's end: a prefix has no null
    while (same < program->prefix_length && place + same != end &&
           place[same] == program->prefix[same])
      ++same;
    if (same >= program->prefix_length)
      return place;
    ++place;
  }
  while (place != end && !program->may_begin[*place])
    ++place;
  return place;
}

/// Does a match end at `place`, in a state whose REGEX_ACCEPTS are `accepts`?
static bool ends_here(const search *s, position place, uint32_t accepts) {
  if (accepts == REGEX_ACCEPTS || !accepts)
    return accepts != 0;
  const unsigned behind = __regex_context_behind(s->program, s->text, place);
  const unsigned kind =
      behind & REGEX_BUFFER_ENDS
          ? behind & REGEX_LINE_ENDS ? BEFORE_END : BEFORE_CUT_END
      : behind & REGEX_LINE_ENDS ? BEFORE_NEWLINE
      : behind & REGEX_IN_WORD   ? BEFORE_WORD
                                 : BEFORE_OTHER;
  return accepts >> kind & 1;
}

/// The end of the longest match that begins at `place`; null if there is none.
/// With \N: the text's end if there may be a match.
static position run_from(const search *s, position place) {
  regex_cache *cache = s->cache;
  const uint8_t *class_of = s->program->class_of;
  const position end = s->text->end;
  position last = NULL;
  uint32_t entry = __regex_start(
      cache, __regex_context_before(s->program, s->text, place), false);
  while (entry && entry != REGEX_DEAD) {
    uint32_t row = entry & ~REGEX_SPECIAL;
    if (entry & REGEX_SPECIAL &&
        ends_here(s, place,
                  cache->rows[row + cache->stride - 1] & REGEX_ACCEPTS)) {
      last = place;
      if (s->end)
        return s->end;
    }
    const uint32_t *rows = cache->rows;
    entry = 0;
    while (place != end && (int32_t)(entry = rows[row + class_of[*place]]) > 0)
      row = entry, ++place;
    if (place == end || (entry == 0 && *place == 0 && !end))
      return last;
    if (entry == 0)
      entry = __regex_make(cache, row, *place);
    ++place;
  }
  return last;
}

/// The first place from `place` on where a run leaves the state of `entry`;
/// `place` itself if the state accepts.
static position stay(const search *s, position place, uint32_t entry) {
  const uint32_t *row = s->cache->rows + (entry & ~REGEX_SPECIAL);
  const uint8_t *class_of = s->program->class_of;
  const position end = s->text->end;
  if (row[s->cache->stride - 1] & REGEX_ACCEPTS)
    return place;
  while (place != end && row[class_of[*place]] == entry)
    ++place;
  return place;
}

/// The first place where a match ends that begins at `place` or later; null if
/// there is none. The match begins at *base or later.
static position run_anywhere(const search *s, position place, position *base) {
  regex_cache *cache = s->cache;
  const uint8_t *class_of = s->program->class_of;
  const position end = s->text->end;
  uint32_t entry = __regex_start(
      cache, __regex_context_before(s->program, s->text, place), true);
  while (entry) {
    uint32_t row = entry & ~REGEX_SPECIAL;
    const uint32_t word =
        entry & REGEX_SPECIAL ? cache->rows[row + cache->stride - 1] : 0;
    if (word & REGEX_FRESH)
      *base = place = stay(s, skip(s, place), entry);
    if (ends_here(s, place, word & REGEX_ACCEPTS))
      return place;
    const uint32_t *rows = cache->rows;
    entry = 0;
    while (place != end && (int32_t)(entry = rows[row + class_of[*place]]) > 0)
      row = entry, ++place;
    if (place == end || (entry == 0 && *place == 0 && !end))
      return NULL;
    if (entry == 0)
      entry = __regex_make(cache, row, *place);
    ++place;
  }
  return NULL;
}

/// Tries a match that begins at `place`: 0, REG_NOMATCH or REG_ESPACE.
static int try_at(const search *s, position place) {
  const position to = run_from(s, place);
  if (s->cache->failed)
    return REG_ESPACE;
  if (!to)
    return REG_NOMATCH;
  if (s->count == 0 && !s->program->referenced)
    return 0;
  return __regex_find_groups(s->program, s->cache, s->text, place, to, s->count,
                             s->matches);
}

static position behind_character(const search *s, position place) {
  unsigned length;
  __regex_next(s->program, s->text, place, &length);
  return place + length;
}

/// Tries matches that begin at *place, and so on up to `last`. Moves *place
/// behind the places tried.
static int try_up_to(const search *s, position *place, position last) {
  int error = REG_NOMATCH;
  while (error == REG_NOMATCH && *place <= last) {
    const bool at_end = regex_at_end(s->text, *place);
    if (at_end || !s->program->skips || s->program->may_begin[**place])
      error = try_at(s, *place);
    *place = at_end ? last + 1 : behind_character(s, *place);
  }
  return error;
}

int __regex_search(const regex_program *program, regex_cache *cache,
                   const regex_text *text, const unsigned char *from,
                   size_t count, regmatch_t *matches) {
  search s = {program, cache, text, count, matches, NULL};
  if (program->referenced)
    s.end = text->end ? text->end : from + strlen((const char *)from);
  position place = from, base = from;
  if (program->anchored)
    return try_at(&s, place);
  if (count == 0 && !program->referenced) {
    const bool found = run_anywhere(&s, place, &base) != NULL;
    return cache->failed ? REG_ESPACE : found ? 0 : REG_NOMATCH;
  }
  place = skip(&s, place);
  int error = try_at(&s, place);
  while (error == REG_NOMATCH && !regex_at_end(text, place)) {
    place = behind_character(&s, place);
    const position hit = run_anywhere(&s, place, &base);
    if (cache->failed)
      return REG_ESPACE;
    if (!hit)
      return REG_NOMATCH;
    place = base;
    error = try_up_to(&s, &place, hit);
    if (place > hit && error == REG_NOMATCH && regex_at_end(text, hit))
      return REG_NOMATCH;
    // Only an expression with \N comes here: its run ignores \N. Go on behind
    // the places tried.
    if (error == REG_NOMATCH && !regex_at_end(text, place))
      error = try_at(&s, place);
  }
  return error;
}
