//===-- replay/core/match_schedule.c - Calls of a recorded schedule -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/matcher.h"
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b) {
  const struct numbered *left = a, *right = b;
  return (left->number > right->number) - (left->number < right->number);
}

struct matcher *make_schedule_matcher(const struct recording *recording,
                                      bool one_caller) {
  struct matcher *m = make_matcher(recording, /*in_order=*/true);
  m->is_scheduled = true;
  m->one_caller = one_caller;
  // In a schedule all calls are matched, those of is_unordered() too.
  m->unit_count = 0;
  m->by_number = allocate(recording->call_count + 1, sizeof *m->by_number);
  for (size_t i = 0; i < recording->call_count; ++i) {
    m->by_number[i] = (struct numbered){recording->calls[i].number, i};
    add_unit(m, i, NULL);
  }
  qsort(m->by_number, recording->call_count, sizeof *m->by_number,
        compare_numbers);
  return m;
}

/// Compares caller and step of a call and of the recorded call with its number.
/// Sets m->difference; empty if they fit.
static void describe_other(struct matcher *m, const struct recorded_call *then,
                           const struct recorded_call *call) {
  struct buffer *to = &m->difference;
  to->size = 0;
  if (then->caller != call->caller) {
    append_format(to, "expected from ");
    describe_caller(to, then);
    append_format(to, ", found ");
    describe_call(to, call);
  } else if (call->step > then->step) {
    describe_call(to, call);
    append_format(to,
                  " was answered at step %llu of the schedule, and comes at "
                  "step %llu",
                  (unsigned long long)then->step,
                  (unsigned long long)call->step);
  }
}

static bool same_addresses(const struct recorded_call *a,
                           const struct recorded_call *b) {
  return a->address_count == b->address_count &&
         (!a->address_count ||
          memcmp(a->addresses, b->addresses,
                 a->address_count * sizeof(uint64_t)) == 0);
}

struct match match_scheduled(struct matcher *m,
                             const struct recorded_call *call) {
  const size_t count = m->unit_count;
  const struct numbered wanted = {call->number, 0},
                        *found = bsearch(&wanted, m->by_number, count,
                                         sizeof wanted, compare_numbers);
  // A recorded run lacks the calls that still waited for their answers when the
  // device was halted or the program ended.
  if (!found) {
    const bool is_early =
        count && call->number < m->by_number[count - 1].number;
    return (struct match){.kind = m->recording->is_halted || is_early
                                      ? MATCH_LATER
                                      : MATCH_BEYOND,
                          .call = NO_CALL};
  }
  const struct recorded_call *then = call_at(m, found->unit);
  if (then->caller == call->caller &&
      (!is_same_call(m, then, call) || !same_addresses(then, call)))
    return mismatch(m, found->unit, call);
  describe_other(m, then, call);
  if (m->difference.size)
    return (struct match){.kind = MATCH_DIFFERS,
                          .call = found->unit,
                          .difference = view(&m->difference)};
  if (call->step < then->step)
    return (struct match){.kind = MATCH_LATER, .call = NO_CALL};
  take_unit(m, found->unit);
  return (struct match){
      .kind = MATCH_FOUND, .call = found->unit, .answer = then->answer};
}
