//===-- replay/player/match.c - Answers from a recording ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/match.h"
#include "replay/player/items.h"
#include "replay/player/mailbox.h"
#include "replay/player/printed.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LOOKED_AT = 256, MOST_ANSWER_STEPS = MOST_STEPS };
#define NO_UNIT SIZE_MAX

/// What one lane asks and gets.
struct lane_call {
  unsigned lane;
  struct buffer request; ///< as of a call of this lane alone
  struct buffer answer[MOST_ANSWER_STEPS];
};

/// A call, or with several waves one lane's part of it, which must be made.
struct unit {
  size_t call;            ///< in the recording
  struct lane_call *lane; ///< NULL with one wave
  bool taken;
  size_t next_of_caller, next_of_request; ///< in the chain of a hash
};

struct chain {
  size_t first, last;
};

/// A lane that has made another's call is held to be that one.
struct following {
  uint32_t caller; ///< 0: nobody
  unsigned lane;
  size_t last; ///< the other's unit, or NO_UNIT: it makes its own calls again
};

struct block {
  uint64_t then, now, size;
};

struct matcher {
  const struct recording *recording;
  bool one_caller, ends_by_call, at_end_of_run;
  struct unit *units;
  size_t unit_count, unit_room;
  size_t first_left; ///< all units before it are taken
  size_t next_output;
  size_t chain_mask;
  struct chain *by_caller, *by_request;
  struct following *following; ///< by the caller's hash, or behind it
  struct printed then_printed, now_printed;
  struct block *blocks;
  size_t block_count, block_room;
  struct buffer answer; ///< of several lanes
  int lost_output;      ///< errno of standard output's
};

/// Is the call served whenever it comes, as if nothing were recorded? Which
/// wave asks for memory depends on who needs it first. And nobody waits for
/// what FREE does: it may overtake the next call.
static bool is_unordered(uint32_t opcode, bool one_caller) {
  return opcode == RPC_FREE || opcode == RPC_NOOP ||
         (!one_caller && allocates(opcode));
}

static const struct recorded_call *call_at(const struct matcher *m,
                                           size_t unit) {
  return &m->recording->calls[m->units[unit].call];
}

//===-- Lanes of a call ---------------------------------------------------===//

/// The lanes of a call, in order: as many as the mask has.
static struct lane_call *split(const struct recorded_call *call) {
  const size_t count = (size_t)__builtin_popcountll(call->mask);
  struct lane_call *lanes = calloc(count + 1, sizeof *lanes);
  struct items items = {0};
  unsigned place[64] = {0}, next = 0;
  if (!lanes)
    fail(STATUS_FAILED, "out of memory");
  FOR_EACH_LANE(lane, call->mask) {
    lanes[next].lane = (unsigned)lane;
    place[lane] = next++;
  }
  request_items(&items, call);
  for (size_t i = 0; i < items.count; ++i)
    append(&lanes[place[items.all[i].lane]].request, items.all[i].packed.data,
           items.all[i].packed.size);
  answer_items(&items, call);
  for (size_t i = 0; i < items.count; ++i)
    append(&lanes[place[items.all[i].lane]].answer[items.all[i].step],
           items.all[i].packed.data, items.all[i].packed.size);
  free(items.all);
  return lanes;
}

static void free_lanes(struct lane_call *lanes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(lanes[i].request.data);
  free(lanes); // requests that are looked for have no answers
}

static size_t hash_of_caller(uint32_t caller, unsigned lane) {
  return ((size_t)caller * 64 + lane) * 0x9E3779B97F4A7C15u >> 20;
}
static size_t hash_of_request(uint32_t opcode, struct bytes request) {
  return xxh3(request) ^ opcode;
}

//===-- What must be made -------------------------------------------------===//

static void add_unit(struct matcher *m, size_t call, struct lane_call *lane) {
  if (m->unit_count == m->unit_room) {
    m->unit_room = m->unit_room ? 2 * m->unit_room : 64;
    m->units = realloc(m->units, m->unit_room * sizeof *m->units);
    if (!m->units)
      fail(STATUS_FAILED, "out of memory");
  }
  m->units[m->unit_count++] =
      (struct unit){call, lane, false, NO_UNIT, NO_UNIT};
}

static void add_units(struct matcher *m, size_t index) {
  const struct recorded_call *call = &m->recording->calls[index];
  if (m->one_caller)
    return add_unit(m, index, NULL);
  struct output_call output;
  if (read_output_call(call, &output)) {
    // One that could not write all is a call like any other.
    m->answer.size = 0;
    pack_output_answer(&m->answer, &output);
    if (same_bytes(view(&m->answer), call->answer))
      return add_printed(&m->then_printed, &output);
  }
  struct lane_call *lanes = split(call);
  for (size_t i = 0; i < (size_t)__builtin_popcountll(call->mask); ++i)
    add_unit(m, index, &lanes[i]);
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

static void make_chains(struct matcher *m) {
  size_t count = 64;
  while (count < m->unit_count)
    count *= 2;
  m->chain_mask = count - 1;
  m->by_caller = allocate(count, sizeof *m->by_caller);
  m->by_request = allocate(count, sizeof *m->by_request);
  m->following = allocate(count, sizeof *m->following);
  for (size_t i = 0; i < count; ++i)
    m->by_caller[i] = m->by_request[i] = (struct chain){NO_UNIT, NO_UNIT};
  for (size_t i = 0; i < m->unit_count; ++i) {
    const struct recorded_call *call = call_at(m, i);
    const struct lane_call *lane = m->units[i].lane;
    if (call->caller)
      append_to(m,
                &m->by_caller[hash_of_caller(call->caller, lane->lane) &
                              m->chain_mask],
                i, true);
    append_to(
        m,
        &m->by_request[hash_of_request(call->opcode, view(&lane->request)) &
                       m->chain_mask],
        i, false);
  }
}

struct matcher *make_matcher(const struct recording *recording, bool one_wave) {
  struct matcher *m = allocate(1, sizeof *m);
  m->recording = recording;
  m->one_caller = one_wave;
  for (size_t i = 0; i < recording->call_count; ++i) {
    const struct recorded_call *call = &recording->calls[i];
    m->one_caller &= call->caller && call->caller == recording->calls[0].caller;
    m->ends_by_call |= ends_program(call->opcode);
  }
  for (size_t i = 0; i < recording->call_count; ++i)
    if (!is_unordered(recording->calls[i].opcode, m->one_caller))
      add_units(m, i);
  if (!m->one_caller)
    make_chains(m);
  return m;
}

//===-- Memory ------------------------------------------------------------===//

void note_allocated(struct matcher *m, uint64_t then, uint64_t now,
                    uint64_t size) {
  if (m->block_count == m->block_room) {
    m->block_room = m->block_room ? 2 * m->block_room : 64;
    m->blocks = realloc(m->blocks, m->block_room * sizeof *m->blocks);
    if (!m->blocks)
      fail(STATUS_FAILED, "out of memory");
  }
  m->blocks[m->block_count++] = (struct block){then, now, size};
}

void note_freed(struct matcher *m, uint64_t now) {
  for (size_t i = 0; i < m->block_count; ++i)
    if (m->blocks[i].now == now) {
      m->blocks[i] = m->blocks[--m->block_count];
      return;
    }
}

/// The block that holds an address, or ends there; NULL: none.
static const struct block *holder(const struct matcher *m, uint64_t address,
                                  bool now) {
  const struct block *found = NULL;
  uint64_t found_begin = 0;
  for (size_t i = 0; i < m->block_count; ++i) {
    const uint64_t begin = now ? m->blocks[i].now : m->blocks[i].then;
    if (address < begin || address - begin > m->blocks[i].size ||
        (found && begin < found_begin))
      continue;
    found = &m->blocks[i];
    found_begin = begin;
  }
  return found;
}

/// Are they the same but for where the program's memory is? An address outside
/// of what it has allocated is one of its image, which may be elsewhere, too.
static bool is_same(const struct matcher *m, const struct recorded_call *then,
                    const struct recorded_call *now) {
  if (then->opcode != now->opcode || then->mask != now->mask ||
      !same_bytes(then->request, now->request) ||
      then->address_count != now->address_count)
    return false;
  for (unsigned i = 0; i < now->address_count; ++i) {
    const uint64_t a = then->addresses[i], b = now->addresses[i];
    const struct block *was = holder(m, a, false), *is = holder(m, b, true);
    if (!was != !is || (is && a - is->then != b - is->now))
      return false;
  }
  return true;
}

//===-- Which call is it? -------------------------------------------------===//

/// What was written before or during the calls that have been made. With
/// several waves it is known only at the end whether they have printed the
/// same.
static void write_output(struct matcher *m) {
  if (!m->one_caller && !m->at_end_of_run)
    return;
  const struct recording *r = m->recording;
  const size_t made =
      m->first_left == m->unit_count ? SIZE_MAX : m->units[m->first_left].call;
  for (; m->next_output < r->output_count &&
         r->outputs[m->next_output].calls_before < made;
       ++m->next_output) {
    const struct recorded_output *output = &r->outputs[m->next_output];
    for (size_t done = 0; done < output->bytes.size;) {
      const ssize_t count = write(output->stream, output->bytes.data + done,
                                  output->bytes.size - done);
      if (count <= 0) {
        if (errno != EPIPE && output->stream == 1) // nobody may be reading it
          m->lost_output = errno;
        break;
      }
      done += (size_t)count;
    }
  }
}

static void take(struct matcher *m, size_t unit) {
  m->units[unit].taken = true;
  while (m->first_left < m->unit_count && m->units[m->first_left].taken)
    ++m->first_left;
  write_output(m);
}

_Noreturn static void differs(const struct matcher *m, size_t unit,
                              const struct recorded_call *now) {
  struct buffer text = {0};
  struct recorded_call then = *call_at(m, unit);
  char who[80] = "";
  if (!m->one_caller) {
    then.mask = now->mask;
    then.request = view(&m->units[unit].lane->request);
    snprintf(who, sizeof who, " (wave %u, lanes 0x%llx)", now->caller - 1,
             (unsigned long long)now->mask);
  }
  describe_difference(&text, &then, now);
  if (!text.size) {
    describe_call(&text, now);
    append(&text, ": another address of the device", 31);
  }
  fail(STATUS_FAILED, "%s: call %zu%s differs: %.*s", m->recording->name,
       m->units[unit].call + 1, now->caller ? who : "", (int)text.size,
       text.data);
}

/// The program wants more than was recorded.
_Noreturn static void wants_more(const struct matcher *m,
                                 const struct recorded_call *now) {
  const struct recording *r = m->recording;
  struct buffer text = {0};
  describe_call(&text, now);
  fail(STATUS_FAILED,
       "%s: after %zu calls the recording %s; the program goes on with %.*s",
       r->name, r->call_count, r->has_end ? "ends" : "was cut off",
       (int)text.size, text.data);
}

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

/// The caller's place in `following`, or a free one. Without a free one nearby
/// it is another caller's, who is forgotten.
static struct following *following_of(struct matcher *m, uint32_t caller,
                                      unsigned lane) {
  size_t at = hash_of_caller(caller, lane);
  struct following *f = NULL;
  for (unsigned i = 0; i < MOST_LOOKED_AT; ++i) {
    f = &m->following[at++ & m->chain_mask];
    if (!f->caller || (f->caller == caller && f->lane == lane))
      break;
  }
  return f;
}

/// Of a lane that has made another's call: the one behind that, or NO_UNIT.
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
  if (call_at(m, unit)->caller && !is_of_caller(m, unit, now->caller, lane))
    *f = (struct following){now->caller, lane, unit};
  else if (f->caller == now->caller && f->lane == lane)
    f->last = NO_UNIT;
}

/// With several waves: the unit that this is, or NO_UNIT. `expected`: the one
/// that its caller was to make.
static size_t find(struct matcher *m, const struct recorded_call *now,
                   const struct lane_call *lane, size_t *expected) {
  *expected = NO_UNIT;
  const size_t next = find_following(m, now, lane);
  if (next != NO_UNIT)
    return next;
  struct chain *own =
      &m->by_caller[hash_of_caller(now->caller, lane->lane) & m->chain_mask];
  while (own->first != NO_UNIT && m->units[own->first].taken)
    own->first = m->units[own->first].next_of_caller;
  // Others may have made the calls before it this time: the first that was to
  // read standard input did so for all.
  unsigned looked_at = 0;
  for (size_t i = own->first; i != NO_UNIT && looked_at < MOST_LOOKED_AT;
       i = m->units[i].next_of_caller) {
    if (!now->caller || !is_of_caller(m, i, now->caller, lane->lane))
      continue;
    if (fits(m, i, now->opcode, lane))
      return i;
    if (!m->units[i].taken && *expected == NO_UNIT)
      *expected = i;
    ++looked_at;
  }
  // Anybody's, the earliest.
  struct chain *any =
      &m->by_request[hash_of_request(now->opcode, view(&lane->request)) &
                     m->chain_mask];
  while (any->first != NO_UNIT && m->units[any->first].taken)
    any->first = m->units[any->first].next_of_request;
  for (size_t i = any->first; i != NO_UNIT; i = m->units[i].next_of_request)
    if (fits(m, i, now->opcode, lane))
      return i;
  return NO_UNIT;
}

static bool ended_by_alarm(const struct recording *r) {
  return r->has_end && is_text(r->end_kind, "exited") &&
         r->end_value == 128 + SIGALRM;
}
static bool ended_by_pipe(const struct recording *r) {
  return r->has_end && is_text(r->end_kind, "signalled") &&
         r->end_value == SIGPIPE;
}

static size_t text_size(const struct printed *printed) {
  return printed->text[0].size + printed->text[1].size;
}

/// The host ended it, by an alarm or because of a pipe, and it has made all
/// calls: so it ends. That needs no further call: it may compute for ever.
static bool is_ended_by_host(const struct matcher *m, uint32_t opcode) {
  return opcode != RPC_EXIT && m->first_left == m->unit_count &&
         text_size(&m->now_printed) >= text_size(&m->then_printed) &&
         (ended_by_alarm(m->recording) || ended_by_pipe(m->recording));
}

/// Not yet: the end comes after all calls that came before it then. And what a
/// wave does beyond the recording was cut off by another's end.
static bool may_wait(const struct matcher *m, uint32_t opcode, size_t unit) {
  const struct recording *r = m->recording;
  if (unit != NO_UNIT)
    return ends_program(opcode) &&
           (m->first_left < unit ||
            text_size(&m->now_printed) < text_size(&m->then_printed));
  return m->ends_by_call || !r->has_end || !is_text(r->end_kind, "exited") ||
         ended_by_alarm(r);
}

static enum found match_lanes(struct matcher *m,
                              const struct recorded_call *now) {
  const size_t count = (size_t)__builtin_popcountll(now->mask);
  struct lane_call *lanes = split(now);
  size_t found[64], made = 0, expected = NO_UNIT;
  while (made < count &&
         (found[made] = find(m, now, &lanes[made], &expected)) != NO_UNIT)
    m->units[found[made++]].taken = true; // the next lane finds another one
  for (size_t i = 0; i < made; ++i)
    m->units[found[i]].taken = false;
  if (may_wait(m, now->opcode, made == count ? found[0] : NO_UNIT)) {
    free_lanes(lanes, count);
    return FOUND_LATER;
  }
  if (made < count) {
    struct recorded_call alone = *now;
    alone.mask = (uint64_t)1 << lanes[made].lane;
    alone.request = view(&lanes[made].request);
    if (expected != NO_UNIT)
      differs(m, expected, &alone);
    wants_more(m, &alone);
  }
  for (size_t i = 0; i < count; ++i)
    note_caller(m, now, lanes[i].lane, found[i]);
  free_lanes(lanes, count);
  m->answer.size = 0;
  for (unsigned step = 0; step < MOST_ANSWER_STEPS; ++step)
    for (size_t i = 0; i < count; ++i) {
      const struct buffer *part = &m->units[found[i]].lane->answer[step];
      append(&m->answer, part->data, part->size);
    }
  for (size_t i = 0; i < count; ++i)
    take(m, found[i]);
  return FOUND_ANSWER;
}

static enum found find_answer(struct matcher *m,
                              const struct recorded_call *now,
                              struct bytes *answer) {
  struct output_call output;
  if (is_unordered(now->opcode, m->one_caller))
    return FOUND_MEMORY;
  if (m->one_caller) {
    const size_t next = m->first_left;
    if (next == m->unit_count)
      wants_more(m, now);
    if (!is_same(m, call_at(m, next), now))
      differs(m, next, now);
    *answer = call_at(m, next)->answer;
    take(m, next);
    return FOUND_ANSWER;
  }
  enum found found = FOUND_ANSWER;
  if ((text_size(&m->then_printed) || now->opcode == RPC_FFLUSH) &&
      read_output_call(now, &output)) {
    add_printed(&m->now_printed, &output);
    m->answer.size = 0;
    pack_output_answer(&m->answer, &output);
  } else {
    found = match_lanes(m, now);
  }
  *answer = view(&m->answer);
  return found;
}

enum found match(struct matcher *m, const struct recorded_call *now,
                 struct bytes *answer, struct end *end) {
  enum found found = FOUND_ANSWER;
  if (!is_ended_by_host(m, now->opcode)) // before its first call, even
    found = find_answer(m, now, answer);
  if (found != FOUND_ANSWER || !is_ended_by_host(m, now->opcode))
    return found;
  *end = ended_by_pipe(m->recording) ? (struct end){"signalled", SIGPIPE}
                                     : (struct end){"exited", 128 + SIGALRM};
  return FOUND_END;
}

void finish_match(struct matcher *m, struct end end) {
  const struct recording *r = m->recording;
  if (m->first_left < m->unit_count) {
    struct buffer text = {0};
    struct recorded_call left = *call_at(m, m->first_left);
    const struct lane_call *lane = m->units[m->first_left].lane;
    if (lane) {
      left.mask = (uint64_t)1 << lane->lane;
      left.request = view(&lane->request);
    }
    describe_call(&text, &left);
    fail(STATUS_FAILED, "%s: the program ended without call %zu: %.*s", r->name,
         m->units[m->first_left].call + 1, (int)text.size, text.data);
  }
  compare_printed(&m->then_printed, &m->now_printed, m->ends_by_call, r->name);
  m->at_end_of_run = true;
  write_output(m);
  if (!r->has_end)
    fail(STATUS_FAILED,
         "%s: the recording was cut off after %zu calls, which the program has "
         "made",
         r->name, r->call_count);
  if (m->lost_output)
    fail(STATUS_FAILED, "%s: cannot write standard output: %s", r->name,
         strerror(m->lost_output));
  if (!is_text(r->end_kind, end.kind) || r->end_value != end.value)
    fail(STATUS_FAILED,
         "%s: the program %s with %lld; when it was recorded it %.*s with %lld",
         r->name, end.kind, (long long)end.value, (int)r->end_kind.size,
         r->end_kind.data, (long long)r->end_value);
}
