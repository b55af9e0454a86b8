//===-- replay/core/match_lanes.c - Calls of several waves ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/matcher.h"

/// The most recorded calls of a lane that a search looks at.
enum { MOST_LOOKED_AT = 256 };

static size_t hash_of_caller(uint32_t caller, unsigned lane) {
  return ((size_t)caller * 64 + lane) * 0x9E3779B97F4A7C15u >> 20;
}
static size_t hash_of_request(uint32_t opcode, const struct lane_call *lane) {
  return xxh3(view(&lane->request)) ^ opcode;
}

//===-- What must be made -------------------------------------------------===//

void add_lanes(struct matcher *m, size_t index) {
  const struct recorded_call *call = &m->recording->calls[index];
  const size_t count = (size_t)__builtin_popcountll(call->mask);
  struct output_call output;
  if (read_output_call(call, &output)) {
    // A call that could not write all is a call like any other.
    m->answer.size = 0;
    pack_output_answer(&m->answer, &output);
    if (same_bytes(view(&m->answer), call->answer))
      return add_printed(&m->then_printed, &output);
  }
  struct lane_call *lanes = split_call(call);
  for (size_t i = 0; i < count; ++i)
    add_unit(m, index, &lanes[i]);
  if (!count)
    free_lanes(lanes, 0);
}

static void append_to(struct matcher *m, struct chain *chain, size_t unit,
                      bool of_caller) {
  if (chain->first == NO_UNIT)
    chain->first = unit;
  else if (of_caller)
    m->units[chain->last].next_of_caller = unit;
  else
    m->units[chain->last].next_of_request = unit;
  chain->last = unit;
}

static struct chain *chain_of_caller(const struct matcher *m, uint32_t caller,
                                     unsigned lane) {
  return &m->by_caller[hash_of_caller(caller, lane) & m->chain_mask];
}
static struct chain *chain_of_request(const struct matcher *m, uint32_t opcode,
                                      const struct lane_call *lane) {
  return &m->by_request[hash_of_request(opcode, lane) & m->chain_mask];
}

void make_chains(struct matcher *m) {
  size_t count = 64;
  while (count < m->unit_count)
    count *= 2;
  m->chain_mask = count - 1;
  m->following_mask = 2 * count - 1;
  m->by_caller = allocate(count, sizeof *m->by_caller);
  m->by_request = allocate(count, sizeof *m->by_request);
  m->following = allocate(2 * count, sizeof *m->following);
  for (size_t i = 0; i < count; ++i)
    m->by_caller[i] = m->by_request[i] = (struct chain){NO_UNIT, NO_UNIT};
  for (size_t i = 0; i < m->unit_count; ++i) {
    const struct recorded_call *call = call_at(m, i);
    const struct lane_call *lane = m->units[i].lane;
    if (call->caller)
      append_to(m, chain_of_caller(m, call->caller, lane->lane), i, true);
    append_to(m, chain_of_request(m, call->opcode, lane), i, false);
  }
}

//===-- Which call is it? -------------------------------------------------===//

static bool fits(const struct matcher *m, size_t unit, uint32_t opcode,
                 const struct lane_call *lane) {
  return !m->units[unit].taken && call_at(m, unit)->opcode == opcode &&
         same_bytes(view(&m->units[unit].lane->request), view(&lane->request));
}

static bool is_of_caller(const struct matcher *m, size_t unit, uint32_t caller,
                         unsigned lane) {
  return call_at(m, unit)->caller == caller &&
         m->units[unit].lane->lane == lane;
}

/// The caller's element of `following`, or a free one. If there is no free one
/// nearby, another caller's, which is then overwritten.
static struct following *following_of(struct matcher *m, uint32_t caller,
                                      unsigned lane) {
  size_t at = hash_of_caller(caller, lane);
  struct following *f = NULL;
  for (unsigned i = 0; i < MOST_LOOKED_AT; ++i) {
    f = &m->following[at++ & m->following_mask];
    if (!f->caller || (f->caller == caller && f->lane == lane))
      break;
  }
  return f;
}

/// For a lane that is taken for another one: the other's next unit if the call
/// fits it, else NO_UNIT.
static size_t find_following(struct matcher *m, const struct recorded_call *now,
                             const struct lane_call *lane) {
  const struct following *f = following_of(m, now->caller, lane->lane);
  if (!f->caller || f->caller != now->caller || f->lane != lane->lane ||
      f->last == NO_UNIT)
    return NO_UNIT;
  size_t i = f->last;
  while (i != NO_UNIT &&
         (m->units[i].taken || !is_of_caller(m, i, call_at(m, f->last)->caller,
                                             m->units[f->last].lane->lane)))
    i = m->units[i].next_of_caller;
  return i != NO_UNIT && fits(m, i, now->opcode, lane) ? i : NO_UNIT;
}

static void note_caller(struct matcher *m, const struct recorded_call *now,
                        unsigned lane, size_t unit) {
  struct following *f = following_of(m, now->caller, lane);
  const bool is_own = is_of_caller(m, unit, now->caller, lane);
  if (is_own && f->caller == now->caller && f->lane == lane)
    f->last = NO_UNIT;
  else if (!is_own && now->caller && call_at(m, unit)->caller)
    *f = (struct following){now->caller, lane, unit};
}

/// Finds a unit of the caller itself. It may skip units, which other lanes may
/// make this time: the first thread that needs standard input reads it for all.
/// Sets `*expected` to the caller's next unit if that does not fit.
static size_t find_own(struct matcher *m, const struct recorded_call *now,
                       const struct lane_call *lane, size_t *expected) {
  struct chain *own = chain_of_caller(m, now->caller, lane->lane);
  while (own->first != NO_UNIT && m->units[own->first].taken)
    own->first = m->units[own->first].next_of_caller;
  unsigned looked_at = 0;
  for (size_t i = now->caller ? own->first : NO_UNIT;
       i != NO_UNIT && looked_at < MOST_LOOKED_AT;
       i = m->units[i].next_of_caller) {
    if (!is_of_caller(m, i, now->caller, lane->lane))
      continue;
    if (fits(m, i, now->opcode, lane))
      return i;
    if (!m->units[i].taken && *expected == NO_UNIT)
      *expected = i;
    ++looked_at;
  }
  return NO_UNIT;
}

/// Finds the earliest unit of any caller with the same request.
static size_t find_any(struct matcher *m, const struct recorded_call *now,
                       const struct lane_call *lane) {
  struct chain *any = chain_of_request(m, now->opcode, lane);
  while (any->first != NO_UNIT && m->units[any->first].taken)
    any->first = m->units[any->first].next_of_request;
  size_t i = any->first;
  while (i != NO_UNIT && !fits(m, i, now->opcode, lane))
    i = m->units[i].next_of_request;
  return i;
}

static size_t find(struct matcher *m, const struct recorded_call *now,
                   const struct lane_call *lane, size_t *expected) {
  *expected = NO_UNIT;
  size_t found = find_following(m, now, lane);
  if (found == NO_UNIT)
    found = find_own(m, now, lane, expected);
  return found != NO_UNIT ? found : find_any(m, now, lane);
}

/// Finds the units of a call's lanes. Returns how many lanes have one before
/// the first lane without; `expected` is that lane's.
static size_t find_all(struct matcher *m, const struct recorded_call *call,
                       const struct lane_call *lanes, size_t count,
                       size_t (*found)[64], size_t *expected) {
  size_t made = 0;
  while (made < count &&
         ((*found)[made] = find(m, call, &lanes[made], expected)) != NO_UNIT)
    m->units[(*found)[made++]].taken = true; // the next lane finds another one
  for (size_t i = 0; i < made; ++i)
    m->units[(*found)[i]].taken = false;
  return made;
}

/// Whether a call must wait. EXIT and ABORT wait for all calls that were
/// recorded before. A call that is not recorded waits if the end of another
/// wave may have cut it off. `first`: the call's unit, or NO_UNIT.
static bool is_later(const struct matcher *m, uint32_t opcode, size_t first) {
  const struct recording *r = m->recording;
  if (!m->may_wait)
    return false;
  if (first != NO_UNIT)
    return ends_program(opcode) &&
           (m->next < first ||
            printed_size(&m->now_printed) < printed_size(&m->then_printed));
  return m->ends_by_call || !r->has_end || !is_text(r->end_kind, "exited") ||
         ended_by_alarm(r);
}

static struct match take_lanes(struct matcher *m,
                               const struct recorded_call *call,
                               const struct lane_call *lanes, size_t count,
                               const size_t *found) {
  const struct lane_call *recorded[64];
  for (size_t i = 0; i < count; ++i) {
    take_unit(m, found[i]);
    note_caller(m, call, lanes[i].lane, found[i]);
    recorded[i] = m->units[found[i]].lane;
  }
  m->answer.size = 0;
  join_answers(&m->answer, recorded, count);
  return (struct match){.kind = MATCH_FOUND,
                        .call = count ? m->units[found[0]].call : NO_CALL,
                        .answer = view(&m->answer)};
}

struct match match_lanes(struct matcher *m, const struct recorded_call *call,
                         bool is_last) {
  const size_t count = (size_t)__builtin_popcountll(call->mask);
  struct lane_call *lanes = split_call(call);
  size_t found[64], expected;
  const size_t made = find_all(m, call, lanes, count, &found, &expected);
  struct match match = {.kind = MATCH_LATER, .call = NO_CALL};
  if (made < count) {
    struct recorded_call alone = *call;
    alone.mask = (uint64_t)1 << lanes[made].lane;
    alone.request = view(&lanes[made].request);
    if (!is_later(m, call->opcode, NO_UNIT))
      match = mismatch(m, expected, &alone);
  } else if (is_last || !count || !is_later(m, call->opcode, found[0])) {
    match = take_lanes(m, call, lanes, count, found);
  }
  free_lanes(lanes, count);
  return match;
}
