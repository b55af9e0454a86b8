//===-- libc-shim/regex/groups.c - The texts of a match's groups ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several paths that match, the walk takes the same as glibc, not the one
// that POSIX prescribes: at each choice the first way that leads to the match's
// end. A loop whose body matches the empty text is entered once more, then
// left.
//===----------------------------------------------------------------------===//
#include "groups.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

/// The kind of an event, in the two low bits of regex_event::what. The higher
/// bits are the number of the group, or of the node for ENTERED (a loop).
enum { OPENED, CLOSED, CLOSED_OPTIONAL, ENTERED };

enum outcome { GO_ON, BACK, FOUND, NO_MEMORY };

typedef struct {
  const regex_program *program;
  regex_scratch *scratch;
  const regex_text *text;
  const unsigned char *from, *to, *at;
  size_t count;
  regmatch_t *matches;
  uint32_t node, choices, events;
  uint32_t mark;     ///< number of events before the last character was taken
  uint32_t last[10]; ///< for groups 0 to 9: index + 1 of the group's last event
  bool plain;        ///< no loop is entered again without a character
  const unsigned char *best; ///< with references: the longest match's end
  regex_memory memory;
} walk;

static uint32_t place_of(const walk *w) {
  return (uint32_t)(w->at - w->text->begin);
}

static bool note_event(walk *w, unsigned kind, uint32_t value) {
  regex_scratch *scratch = w->scratch;
  if (!__regex_grow(&scratch->events, sizeof(regex_event), w->events,
                    &scratch->event_capacity))
    return false;
  regex_event *event = scratch->events + w->events++;
  *event = (regex_event){value << 2 | kind, place_of(w), 0};
  if (kind != ENTERED && value <= 9) {
    event->previous = w->last[value];
    w->last[value] = w->events;
  }
  return true;
}

static void drop_events(walk *w, uint32_t count) {
  while (w->events > count) {
    const regex_event *event = w->scratch->events + --w->events;
    if ((event->what & 3) != ENTERED && event->what >> 2 <= 9)
      w->last[event->what >> 2] = event->previous;
  }
}

/// Changes the matches as an event says.
static void apply(walk *w, const regex_event *event) {
  const uint32_t group = event->what >> 2;
  regmatch_t *matches = w->matches, *before = w->scratch->before;
  if ((event->what & 3) == ENTERED || group >= w->count)
    return;
  regmatch_t *match = matches + group;
  if ((event->what & 3) == OPENED) {
    *match = (regmatch_t){(regoff_t)event->place, -1};
    return;
  }
  const bool empty = match->rm_so >= (regoff_t)event->place;
  if (empty && (event->what & 3) == CLOSED_OPTIONAL && w->program->restores &&
      before[group].rm_so != -1) {
    // An empty repetition after one that matched text: it does not count.
    memcpy(matches + 1, before + 1, (w->count - 1) * sizeof *matches);
    return;
  }
  match->rm_eo = (regoff_t)event->place;
  if (!empty && w->program->restores)
    memcpy(before + 1, matches + 1, (w->count - 1) * sizeof *matches);
}

static void apply_all(walk *w) {
  for (uint32_t i = 0; i < w->events; ++i)
    apply(w, w->scratch->events + i);
}

static void clear_matches(walk *w) {
  for (size_t i = 0; i < w->count; ++i) {
    w->matches[i] = (regmatch_t){-1, -1};
    if (w->program->restores)
      w->scratch->before[i] = (regmatch_t){-1, -1};
  }
}

/// The text that a group has matched last: [*from, *to). False if it has not
/// matched.
static bool text_of(const walk *w, uint32_t group, uint32_t *from,
                    uint32_t *to) {
  const regex_event *events = w->scratch->events;
  uint32_t last = w->last[group];
  while (last && (events[last - 1].what & 3) != OPENED) {
    const regex_event *close = events + last - 1,
                      *open = events + close->previous - 1;
    *from = open->place;
    *to = close->place;
    if (*from < *to || (close->what & 3) != CLOSED_OPTIONAL || !open->previous)
      return true;
    last = open->previous;
  }
  return false;
}

/// Notes that the walk is at this node and place. BACK if it has been there
/// before, because it failed from there.
static enum outcome been_here(walk *w, uint32_t node) {
  const regex_program *program = w->program;
  enum regex_answer answer;
  if (program->referenced) {
    uint32_t key[REGEX_KEY] = {node + 1, place_of(w)}, words = 2;
    for (uint32_t left = program->referenced; left;
         left &= left - 1, words += 2)
      if (!text_of(w, (uint32_t)__builtin_ctz(left), key + words,
                   key + words + 1))
        key[words] = key[words + 1] = UINT32_MAX;
    answer = __regex_note_key(&w->memory, key, words);
  } else {
    answer =
        __regex_note(&w->memory, node, program->count,
                     (size_t)(w->at - w->from), (size_t)(w->to - w->from) + 1);
  }
  return answer == REGEX_NEW ? GO_ON : answer == REGEX_SEEN ? BACK : NO_MEMORY;
}

/// Called after a character was taken. If no choice is left to go back to,
/// applies the events, which are then final.
static void settle(walk *w) {
  if (w->choices == 0 && !w->program->referenced) {
    apply_all(w);
    w->events = 0;
  }
  w->mark = w->events;
}

static enum outcome take_character(walk *w) {
  const regex_program *program = w->program;
  if (w->at == w->to)
    return BACK;
  unsigned length;
  const uint32_t character =
      __regex_fold(program, __regex_next(program, w->text, w->at, &length));
  if (!__regex_takes(program, program->nodes + w->node, character) ||
      length > (size_t)(w->to - w->at))
    return BACK;
  if (w->choices) {
    const enum outcome outcome = been_here(w, w->node);
    if (outcome != GO_ON)
      return outcome;
  }
  w->at += length;
  ++w->node;
  settle(w);
  return GO_ON;
}

/// The number of times that the loop was entered since the last character.
static unsigned entries(const walk *w, uint32_t node) {
  unsigned count = 0;
  for (uint32_t i = w->mark; i < w->events; ++i)
    count += w->scratch->events[i].what == (node << 2 | ENTERED);
  return count;
}

static enum outcome go_to(walk *w, uint32_t node, bool is_first) {
  w->node = node;
  if (is_first && w->program->loops_empty && !w->plain &&
      !note_event(w, ENTERED, node))
    return NO_MEMORY;
  return GO_ON;
}

/// If a loop's body is one node, takes the characters that only the body can
/// take, up to one of several bytes. False if it took none.
static bool run_loop(walk *w, const regex_node *choice) {
  const regex_program *program = w->program;
  const regex_node *body = choice + 1;
  if (body->op > REGEX_SET || body[1].op != REGEX_JUMP ||
      body[1].first != w->node || w->choices || !program->exact)
    return false;
  const uint64_t stays =
      program->begins[choice->first] & ~program->begins[choice->second];
  const unsigned char *at = w->at;
  while (at != w->to && *at < program->low_end &&
         stays >> program->bit_of[*at] & 1)
    ++at;
  if (at == w->at)
    return false;
  w->at = at;
  settle(w);
  return true;
}

static enum outcome choose(walk *w, const regex_node *node) {
  const regex_program *program = w->program;
  if (run_loop(w, node))
    return GO_ON;
  const uint64_t bit = w->at == w->to ? REGEX_BEGINS_AT_END
                                      : UINT64_C(1) << program->bit_of[*w->at];
  bool first = program->begins[node->first] & bit;
  const bool second = program->begins[node->second] & bit;
  unsigned entered = 0;
  if (program->loops_empty && w->plain) {
    const enum outcome outcome = been_here(w, w->node);
    if (outcome != GO_ON)
      return outcome;
  } else if (program->loops_empty && first) {
    entered = entries(w, node->first);
    first = entered < 2;
  }
  if (!first)
    return second ? go_to(w, node->second, false) : BACK;
  if (!second)
    return go_to(w, node->first, true);
  regex_scratch *scratch = w->scratch;
  if (!__regex_grow(&scratch->choices, sizeof(regex_choice), w->choices,
                    &scratch->choice_capacity))
    return NO_MEMORY;
  const bool swapped = entered == 1;
  scratch->choices[w->choices++] =
      (regex_choice){swapped ? node->first : node->second, place_of(w),
                     w->events, w->mark, swapped};
  return go_to(w, swapped ? node->second : node->first, !swapped);
}

static enum outcome go_back(walk *w) {
  if (w->choices == 0)
    return w->best ? FOUND : BACK;
  const regex_choice choice = w->scratch->choices[--w->choices];
  drop_events(w, choice.events);
  w->mark = choice.mark;
  w->at = w->text->begin + choice.place;
  return go_to(w, choice.node, choice.is_first);
}

/// For \N: takes the same text as the group has matched.
static enum outcome repeat_group(walk *w, uint32_t group) {
  const regex_program *program = w->program;
  uint32_t from, to;
  if (!text_of(w, group, &from, &to))
    return BACK;
  const unsigned char *place = w->text->begin + from,
                      *end = w->text->begin + to;
  while (place < end) {
    if (w->at == w->to)
      return BACK;
    unsigned one, other;
    if (__regex_fold(program, __regex_next(program, w->text, place, &one)) !=
        __regex_fold(program, __regex_next(program, w->text, w->at, &other)))
      return BACK;
    place += one;
    w->at += other;
  }
  if (from < to)
    settle(w);
  ++w->node;
  return GO_ON;
}

/// Called at the end of the program.
static enum outcome finish(walk *w) {
  if (!w->program->referenced) {
    if (w->at != w->to)
      return BACK;
    apply_all(w);
    w->best = w->at;
    return FOUND;
  }
  if (!w->best || w->at > w->best) {
    w->best = w->at;
    clear_matches(w);
    apply_all(w);
  }
  return w->best == w->to ? FOUND : BACK;
}

static enum outcome advance(walk *w) {
  const regex_node *node = w->program->nodes + w->node;
  switch ((enum regex_op)node->op) {
  case REGEX_CHARACTER:
  case REGEX_ANY:
  case REGEX_SET:
    return take_character(w);
  case REGEX_CHOICE:
    return choose(w, node);
  case REGEX_JUMP:
    w->node = node->first;
    return GO_ON;
  case REGEX_OPEN:
  case REGEX_CLOSE:
    ++w->node;
    return note_event(w,
                      node->op == REGEX_OPEN ? OPENED
                      : node->second         ? CLOSED_OPTIONAL
                                             : CLOSED,
                      node->first)
               ? GO_ON
               : NO_MEMORY;
  case REGEX_ASSERT:
    ++w->node;
    return __regex_holds(node->first,
                         __regex_context_before(w->program, w->text, w->at),
                         __regex_context_behind(w->program, w->text, w->at))
               ? GO_ON
               : BACK;
  case REGEX_REFERENCE:
    return repeat_group(w, node->first);
  case REGEX_MATCH:
    return finish(w);
  }
  return BACK;
}

static enum outcome walk_once(walk *w, bool plain) {
  w->plain = plain;
  w->at = w->from;
  w->node = w->choices = w->events = w->mark = 0;
  memset(w->last, 0, sizeof w->last);
  if (!w->program->referenced)
    clear_matches(w);
  enum outcome outcome = GO_ON;
  while (outcome == GO_ON) {
    outcome = advance(w);
    if (outcome == BACK)
      outcome = go_back(w);
  }
  __regex_forget(&w->memory);
  return outcome;
}

int __regex_find_groups(const regex_program *program, regex_cache *cache,
                        const regex_text *text, const unsigned char *from,
                        const unsigned char *to, size_t count,
                        regmatch_t *matches) {
  regex_scratch *scratch = &cache->scratch;
  const size_t groups =
      count > program->groups + 1 ? program->groups + 1 : count;
  walk w = {.program = program,
            .scratch = scratch,
            .text = text,
            .from = from,
            .to = to,
            .count = groups,
            .matches = matches,
            .best = NULL};
  if (program->restores && groups > scratch->before_capacity) {
    free(scratch->before);
    scratch->before = malloc(groups * sizeof(regmatch_t));
    scratch->before_capacity = scratch->before ? (uint32_t)groups : 0;
    if (!scratch->before)
      return REG_ESPACE;
  }
  if (groups > 1 || program->referenced) {
    enum outcome outcome = walk_once(&w, false);
    if (outcome == BACK && program->loops_empty)
      outcome = walk_once(&w, true);
    if (outcome != FOUND)
      return outcome == NO_MEMORY ? REG_ESPACE : REG_NOMATCH;
  } else {
    w.best = to;
  }
  for (size_t i = groups; i < count; ++i)
    matches[i] = (regmatch_t){-1, -1};
  if (count)
    matches[0] = (regmatch_t){(regoff_t)(from - text->begin),
                              (regoff_t)(w.best - text->begin)};
  return 0;
}
