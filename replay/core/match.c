//===-- replay/core/match.c - Calls beside a recording --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/match.h"
#include "replay/core/matcher.h"
#include <stdlib.h>

/// Whether the call is served whenever it comes, as if nothing were recorded.
/// Which wave asks for memory depends on which needs it first. A wave does not
/// wait for its FREE, so its next call may be served before.
static bool is_unordered(uint32_t opcode, bool in_order) {
  return opcode == RPC_FREE || opcode == RPC_NOOP ||
         (!in_order && allocates(opcode));
}

//===-- What must be made -------------------------------------------------===//

void add_unit(struct matcher *m, size_t call, struct lane_call *lane) {
  m->units = grow(m->units, m->unit_count, &m->unit_room, sizeof *m->units);
  m->units[m->unit_count++] =
      (struct unit){call, lane, false, NO_UNIT, NO_UNIT};
}

static struct matcher *make_empty(const struct recording *recording) {
  struct matcher *m = allocate(1, sizeof *m);
  m->recording = recording;
  m->may_wait = true;
  for (size_t i = 0; i < recording->call_count; ++i)
    m->ends_by_call |= ends_program(recording->calls[i].opcode);
  return m;
}

struct matcher *make_matcher(const struct recording *recording, bool in_order) {
  struct matcher *m = make_empty(recording);
  m->in_order = m->one_caller = in_order;
  for (size_t i = 0; i < recording->call_count; ++i) {
    if (is_unordered(recording->calls[i].opcode, in_order))
      continue;
    if (in_order)
      add_unit(m, i, NULL);
    else
      add_lanes(m, i);
  }
  if (!in_order)
    make_chains(m);
  return m;
}

void free_matcher(struct matcher *m) {
  // The lanes of a call are one piece of memory.
  for (size_t i = 0, after; i < m->unit_count; i = after) {
    for (after = i + 1;
         after < m->unit_count && m->units[after].call == m->units[i].call;
         ++after)
      continue;
    if (m->units[i].lane)
      free_lanes(m->units[i].lane, after - i);
  }
  for (int stream = 0; stream < 2; ++stream) {
    free(m->then_printed.text[stream].data);
    free(m->now_printed.text[stream].data);
  }
  free_blocks(&m->blocks);
  free(m->units);
  free(m->answer.data);
  free(m->difference.data);
  free(m->by_caller);
  free(m->by_request);
  free(m->following);
  free(m->by_number);
  free(m);
}

bool has_one_caller(const struct recording *r) {
  for (size_t i = 0; i < r->call_count; ++i)
    if (!r->calls[i].caller || r->calls[i].caller != r->calls[0].caller)
      return false;
  return true;
}

void stop_waiting(struct matcher *m) { m->may_wait = false; }

void note_allocated(struct matcher *m, uint64_t then, uint64_t now,
                    uint64_t size) {
  add_block(&m->blocks, then, now, size);
}
void note_freed(struct matcher *m, uint64_t now) {
  remove_block(&m->blocks, now);
}

//===-- Which call is it? -------------------------------------------------===//

bool is_same_call(const struct matcher *m, const struct recorded_call *then,
                  const struct recorded_call *now) {
  if (then->opcode != now->opcode || then->mask != now->mask ||
      !same_bytes(then->request, now->request) ||
      then->address_count != now->address_count)
    return false;
  for (size_t i = 0; i < now->address_count; ++i)
    if (!is_same_place(&m->blocks, then->addresses[i], now->addresses[i]))
      return false;
  return true;
}

struct recorded_call call_of_unit(const struct matcher *m, size_t unit) {
  const struct recorded_call *call = call_at(m, unit);
  const struct lane_call *lane = m->units[unit].lane;
  return lane ? (struct recorded_call){.opcode = call->opcode,
                                       .caller = call->caller,
                                       .mask = (uint64_t)1 << lane->lane,
                                       .request = view(&lane->request)}
              : *call;
}

struct match mismatch(struct matcher *m, size_t unit,
                      const struct recorded_call *call) {
  if (unit == NO_UNIT)
    return (struct match){.kind = MATCH_BEYOND, .call = NO_CALL};
  const struct recorded_call then = call_of_unit(m, unit);
  m->difference.size = 0;
  describe_difference(&m->difference, &then, call);
  if (!m->difference.size) {
    describe_call(&m->difference, call);
    append_format(&m->difference, ": another address of the device");
  }
  return (struct match){.kind = MATCH_DIFFERS,
                        .call = m->units[unit].call,
                        .difference = view(&m->difference)};
}

void take_unit(struct matcher *m, size_t unit) {
  m->units[unit].taken = true;
  while (m->next < m->unit_count && m->units[m->next].taken)
    ++m->next;
}

static struct match match_in_order(struct matcher *m,
                                   const struct recorded_call *call) {
  const size_t unit = m->next;
  if (unit == m->unit_count)
    return mismatch(m, NO_UNIT, call);
  if (!is_same_call(m, call_at(m, unit), call))
    return mismatch(m, unit, call);
  take_unit(m, unit);
  return (struct match){.kind = MATCH_FOUND,
                        .call = m->units[unit].call,
                        .answer = call_at(m, unit)->answer};
}

struct match match_call(struct matcher *m, const struct recorded_call *call,
                        bool is_last) {
  struct output_call output;
  if (is_unordered(call->opcode, m->in_order))
    return (struct match){.kind = MATCH_ANY_TIME, .call = NO_CALL};
  if (m->in_order)
    return match_in_order(m, call);
  if ((!printed_size(&m->then_printed) && call->opcode != RPC_FFLUSH) ||
      !read_output_call(call, &output))
    return match_lanes(m, call, is_last);
  add_printed(&m->now_printed, &output);
  m->answer.size = 0;
  pack_output_answer(&m->answer, &output);
  return (struct match){
      .kind = MATCH_PRINTED, .call = NO_CALL, .answer = view(&m->answer)};
}

//===-- How far it is -----------------------------------------------------===//

size_t first_left(const struct matcher *m) {
  return m->next == m->unit_count ? m->recording->call_count
                                  : m->units[m->next].call;
}

bool is_complete(const struct matcher *m) {
  return m->next == m->unit_count &&
         printed_size(&m->now_printed) >= printed_size(&m->then_printed);
}

bool is_ended_by_host(const struct matcher *m, uint32_t opcode) {
  return !m->is_scheduled && opcode != RPC_EXIT && is_complete(m) &&
         (ended_by_alarm(m->recording) || ended_by_pipe(m->recording));
}

const struct recorded_output *next_output(struct matcher *m, bool at_end) {
  const struct recording *r = m->recording;
  if ((!m->in_order && !at_end) || m->next_output == r->output_count)
    return NULL;
  const struct recorded_output *output = &r->outputs[m->next_output];
  const bool is_due =
      m->next == m->unit_count || output->calls_before < first_left(m);
  m->next_output += is_due;
  return is_due ? output : NULL;
}

//===-- For people --------------------------------------------------------===//

static void append_text(struct buffer *to, struct bytes text) {
  append(to, text.data, text.size);
}

void describe_mismatch(struct buffer *to, const struct matcher *m,
                       const struct match *match,
                       const struct recorded_call *call) {
  const struct recording *r = m->recording;
  if (match->kind == MATCH_DIFFERS) {
    append_format(to, "call %zu", match->call + 1);
    if (call->caller && !m->one_caller) {
      append(to, " (", 2);
      describe_caller(to, call);
      append(to, ")", 1);
    }
    append_format(to, " differs: ");
    return append_text(to, match->difference);
  }
  append_format(to, "after %zu calls the recording %s", r->call_count,
                r->has_end ? "ends" : "was cut off");
  if (r->has_end && !is_text(r->end_kind, "exited")) {
    append_format(to, ": the program ");
    append_text(to, r->end_kind);
  }
  append_format(to, "; the program goes on with ");
  describe_call(to, call);
}

void describe_first_left(struct buffer *to, const struct matcher *m) {
  if (m->next == m->unit_count)
    return;
  const struct recorded_call left = call_of_unit(m, m->next);
  describe_call(to, &left);
}

bool find_printed_difference(const struct matcher *m,
                             struct printed_difference *difference) {
  return compare_printed(&m->then_printed, &m->now_printed, m->ends_by_call,
                         difference);
}

bool describe_missing(struct buffer *to, const struct matcher *m) {
  struct printed_difference difference;
  if (m->next < m->unit_count) {
    append_format(to,
                  "the program ended without call %zu: ", first_left(m) + 1);
    describe_first_left(to, m);
    return true;
  }
  if (!find_printed_difference(m, &difference))
    return false;
  describe_printed(to, &difference);
  return true;
}

bool describe_other_end(struct buffer *to, const struct matcher *m,
                        const char *kind, int64_t value) {
  const struct recording *r = m->recording;
  if (!r->has_end) {
    append_format(to,
                  "the recording was cut off after %zu calls, which the "
                  "program has made",
                  r->call_count);
    return true;
  }
  if (is_text(r->end_kind, kind) && r->end_value == value)
    return false;
  append_format(to, "the program %s with %lld; when it was recorded it ", kind,
                (long long)value);
  append_text(to, r->end_kind);
  append_format(to, " with %lld", (long long)r->end_value);
  return true;
}
