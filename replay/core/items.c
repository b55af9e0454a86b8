//===-- replay/core/items.c - The values of a recorded call ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/items.h"
#include <stdlib.h>

/// Notes while they are read.
struct reader {
  struct items *items;
  struct packed from;
  unsigned step;
};

static void push(struct items *items, struct item item) {
  items->all = grow(items->all, items->count, &items->room, sizeof *items->all);
  items->all[items->count++] = item;
}

static void add(struct reader *reader, struct bytes name, uint64_t lane,
                bool is_number) {
  struct item item = {name, (unsigned)lane,   reader->step, is_number, 0,
                      {0},  reader->from.left};
  if (is_number)
    item.number = read_number(&reader->from);
  else
    item.bytes = read_bytes(&reader->from);
  item.packed.size = reader->from.failed
                         ? 0
                         : (size_t)(reader->from.left.data - item.packed.data);
  push(reader->items, item);
}

static void add_bytes(struct reader *reader, struct bytes name, uint64_t mask) {
  FOR_EACH_LANE(lane, mask)
  add(reader, name, lane, false);
}

static void add_packet(struct reader *reader, const struct step *step,
                       uint64_t lane, bool is_answer) {
  for (unsigned i = 0; i < step->field_count; ++i) {
    const struct field *field = &step->fields[i];
    if (is_answer) // the notes of an answer have all words
      for (unsigned word = 0; word < field->words; ++word)
        add(reader, field->name, lane, true);
    else if (!is_text(field->name, "_") && !is_text(field->name, "address"))
      add(reader, field->name, lane, !field->is_text);
  }
  if (is_answer)
    add(reader, bytes_of("errno"), lane, true);
}

static void add_step(struct reader *reader, const struct step *step,
                     uint64_t mask, bool is_answer) {
  if (step->kind != PACKET)
    add_bytes(reader, step->name, mask);
  else
    FOR_EACH_LANE(lane, mask)
  add_packet(reader, step, lane, is_answer);
  ++reader->step;
}

/// Adds the values of a printf: its results, or its texts.
static void add_printed(struct reader *reader, uint64_t mask, bool is_answer) {
  FOR_EACH_LANE(lane, mask) {
    add(reader, bytes_of(is_answer ? "printed" : "stream"), lane, true);
    add(reader, bytes_of("errno"), lane, true);
    if (!is_answer)
      add(reader, bytes_of("text"), lane, false);
  }
}

/// Adds the values of a request whose opcode is known.
static void add_request(struct reader *reader, const struct recorded_call *call,
                        const struct sequence *sequence) {
  if (prints(call->opcode))
    return add_printed(reader, call->mask, false);
  for (unsigned i = 0; i < sequence->request_steps; ++i)
    if (sequence->steps[i].by_client)
      add_step(reader, &sequence->steps[i], call->mask, false);
  if (is_bulk_write(call->opcode))
    add_bytes(reader, bytes_of("data"), call->mask);
}

static void add_answer(struct reader *reader, const struct recorded_call *call,
                       const struct sequence *sequence) {
  if (prints(call->opcode))
    return add_printed(reader, call->mask, true);
  if (is_bulk(call->opcode) && !is_bulk_write(call->opcode)) {
    add_bytes(reader, bytes_of("data"), call->mask);
    ++reader->step;
  }
  if (sequence->is_plain && call->answer.size)
    for (unsigned i = sequence->request_steps; i < sequence->count; ++i)
      add_step(reader, &sequence->steps[i], call->mask, true);
}

static void read_items(struct items *items, const struct recorded_call *call,
                       bool is_answer) {
  struct sequence sequence;
  const struct bytes notes = is_answer ? call->answer : call->request;
  struct reader reader = {items, {notes, false}, 0};
  items->count = 0;
  items->damaged = false;
  if (!find_opcode(call->opcode, &sequence))
    return push(
        items, (struct item){.name = bytes_of(is_answer ? "answer" : "request"),
                             .bytes = notes,
                             .packed = notes});
  (is_answer ? add_answer : add_request)(&reader, call, &sequence);
  items->damaged = reader.from.failed;
  if (items->damaged)
    push(items, (struct item){.name = bytes_of("damaged"),
                              .is_number = true,
                              .number = 1});
}

void request_items(struct items *items, const struct recorded_call *call) {
  read_items(items, call, false);
}

void answer_items(struct items *items, const struct recorded_call *call) {
  read_items(items, call, true);
}

//===-- Lanes of a call ---------------------------------------------------===//

struct lane_call *split_call(const struct recorded_call *call) {
  const size_t count = (size_t)__builtin_popcountll(call->mask);
  struct lane_call *lanes = allocate(count + 1, sizeof *lanes);
  struct items items = {0};
  unsigned place[64] = {0}, next = 0;
  if (!count) // a damaged recording: a call of no lane
    return lanes;
  FOR_EACH_LANE(lane, call->mask) {
    lanes[next].lane = (unsigned)lane;
    place[lane] = next++;
  }
  request_items(&items, call);
  for (size_t i = 0; i < items.count; ++i)
    append(&lanes[place[items.all[i].lane]].request, items.all[i].packed.data,
           items.all[i].packed.size);
  answer_items(&items, call);
  for (size_t i = 0, after; i < items.count; i = after) {
    // The values of a lane in a step lie one behind the other.
    struct bytes part = items.all[i].packed;
    for (after = i + 1;
         after < items.count && items.all[after].lane == items.all[i].lane &&
         items.all[after].step == items.all[i].step;
         ++after)
      part.size += items.all[after].packed.size;
    append_bytes(&lanes[place[items.all[i].lane]].answer, part);
  }
  free(items.all);
  return lanes;
}

void free_lanes(struct lane_call *lanes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    free(lanes[i].request.data);
    free(lanes[i].answer.data);
  }
  free(lanes);
}

void join_answers(struct buffer *to, const struct lane_call *const *lanes,
                  size_t count) {
  struct packed left[64];
  for (size_t i = 0; i < count; ++i)
    left[i] = (struct packed){view(&lanes[i]->answer), false};
  while (count && left[0].left.size)
    for (size_t i = 0; i < count; ++i) {
      const struct bytes part = read_bytes(&left[i]);
      append(to, part.data, part.size);
    }
}

//===-- For people --------------------------------------------------------===//

enum { SHOWN_BYTES = 48, SHOWN_BEFORE = 16 };

static void append_text(struct buffer *to, struct bytes text) {
  append(to, text.data, text.size);
}

/// Appends a number, or the first bytes of a string from byte `from` on.
static void describe_value(struct buffer *to, const struct item *item,
                           size_t from) {
  if (item->is_number) {
    const int64_t number = (int64_t)item->number;
    if (number > -4096 && number < (int64_t)1 << 40)
      return append_format(to, "%lld", (long long)number);
    return append_format(to, "0x%llx", (unsigned long long)number);
  }
  const size_t left = item->bytes.size - from,
               shown = left < SHOWN_BYTES ? left : SHOWN_BYTES;
  append(to, "\"", 1);
  append_text(to, (struct bytes){item->bytes.data + from, shown});
  append(to, "\"", 1);
  if (shown < left)
    append_format(to, "... (%zu bytes)", left);
}

void describe_opcode(struct buffer *to, uint32_t opcode) {
  struct sequence unused;
  const char *name = find_opcode(opcode, &unused);
  if (name)
    append_text(to, bytes_of(name));
  else
    append_format(to, "opcode 0x%x", opcode);
}

void describe_call(struct buffer *to, const struct recorded_call *call) {
  struct items items = {0};
  const unsigned first =
      call->mask ? (unsigned)__builtin_ctzll(call->mask) : 64;
  const char *separator = "";
  request_items(&items, call);
  describe_opcode(to, call->opcode);
  append(to, "(", 1);
  for (size_t i = 0; i < items.count; ++i) {
    if (items.all[i].lane != first)
      continue;
    append_text(to, bytes_of(separator));
    append_text(to, items.all[i].name);
    append(to, " ", 1);
    describe_value(to, &items.all[i], 0);
    separator = ", ";
  }
  append(to, ")", 1);
  free(items.all);
}

void describe_caller(struct buffer *to, const struct recorded_call *call) {
  if (call->caller)
    append_format(to, "wave %u, lanes 0x%llx", call->caller - 1,
                  (unsigned long long)call->mask);
}

/// Appends two values, strings from shortly before the first byte that differs.
static void describe_values(struct buffer *to, const struct item *expected,
                            const struct item *found) {
  const bool are_bytes = !expected->is_number && !found->is_number;
  size_t at = 0, from = 0;
  if (are_bytes) {
    while (at < expected->bytes.size && at < found->bytes.size &&
           expected->bytes.data[at] == found->bytes.data[at])
      ++at;
    from = at > SHOWN_BYTES / 2 ? at - SHOWN_BEFORE : 0;
  }
  append_format(to, "lane %u: ", expected->lane);
  append_text(to, expected->name);
  append_format(to, ": expected ");
  describe_value(to, expected, from);
  append_format(to, ", found ");
  describe_value(to, found, from);
  if (from)
    append_format(to, " from byte %zu on", from);
  if (are_bytes)
    append_format(to, " (byte %zu is the first that differs)", at);
}

static bool same_item(const struct item *a, const struct item *b) {
  return a->lane == b->lane && a->is_number == b->is_number &&
         a->number == b->number && a->step == b->step &&
         same_bytes(a->bytes, b->bytes) && same_bytes(a->name, b->name);
}

bool describe_items(struct buffer *to, const struct items *expected,
                    const struct items *found) {
  for (size_t i = 0; i < expected->count && i < found->count; ++i)
    if (!same_item(&expected->all[i], &found->all[i])) {
      describe_values(to, &expected->all[i], &found->all[i]);
      return true;
    }
  if (expected->count != found->count)
    append_format(to, "not as many values");
  return expected->count != found->count;
}

void describe_difference(struct buffer *to,
                         const struct recorded_call *expected,
                         const struct recorded_call *found) {
  if (expected->opcode != found->opcode) {
    append_format(to, "expected ");
    describe_call(to, expected);
    append_format(to, ", found ");
    return describe_call(to, found);
  }
  const size_t before = to->size;
  describe_opcode(to, found->opcode);
  if (expected->mask != found->mask)
    return append_format(to, ": expected lanes 0x%llx, found 0x%llx",
                         (unsigned long long)expected->mask,
                         (unsigned long long)found->mask);
  struct items then = {0}, now = {0};
  request_items(&then, expected);
  request_items(&now, found);
  append(to, ": ", 2);
  if (!describe_items(to, &then, &now))
    to->size = before;
  free(then.all);
  free(now.all);
}
