//===-- replay/player/items.c - The values of a recorded call -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/items.h"
#include "replay/player/mailbox.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct items *items;
  struct packed from;
  unsigned step;
};

static struct bytes name_of(const char *text) {
  return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void add(struct reader *reader, struct bytes name, uint64_t lane,
                bool is_number) {
  struct items *items = reader->items;
  if (items->count == items->capacity) {
    items->capacity = items->capacity ? 2 * items->capacity : 64;
    items->all = realloc(items->all, items->capacity * sizeof *items->all);
    if (!items->all)
      fail(STATUS_FAILED, "out of memory");
  }
  struct item item = {name, (unsigned)lane,   reader->step, is_number, 0,
                      {0},  reader->from.left};
  if (is_number)
    item.number = read_number(&reader->from);
  else
    item.bytes = read_bytes(&reader->from);
  items->damaged |= reader->from.failed;
  item.packed.size =
      items->damaged ? 0 : (size_t)(reader->from.left.data - item.packed.data);
  items->all[items->count++] = item;
}

static void add_packet(struct reader *reader, const struct step *step,
                       uint64_t lane, bool is_answer) {
  for (unsigned i = 0; i < step->field_count; ++i) {
    const struct field *field = &step->fields[i];
    if (is_answer) // which has all words
      for (unsigned word = 0; word < field->words; ++word)
        add(reader, field->name, lane, true);
    else if (!is_text(field->name, "_") && !is_text(field->name, "address"))
      add(reader, field->name, lane, !field->is_text);
  }
  if (is_answer)
    add(reader, name_of("errno"), lane, true);
}

static void add_step(struct reader *reader, const struct step *step,
                     uint64_t mask, bool is_answer) {
  FOR_EACH_LANE(lane, mask) {
    if (step->kind == PACKET)
      add_packet(reader, step, lane, is_answer);
    else
      add(reader, step->name, lane, false);
  }
  ++reader->step;
}

void request_items(struct items *items, const struct recorded_call *call) {
  struct sequence sequence;
  struct reader reader = {items, {call->request, false}, 0};
  items->count = 0;
  items->damaged = !find_opcode(call->opcode, &sequence);
  if (items->damaged)
    return;
  if (prints(call->opcode)) {
    FOR_EACH_LANE(lane, call->mask) {
      add(&reader, name_of("stream"), lane, true);
      add(&reader, name_of("errno"), lane, true);
      add(&reader, name_of("text"), lane, false);
    }
    return;
  }
  for (unsigned i = 0; i < sequence.request_steps; ++i)
    if (sequence.steps[i].by_client)
      add_step(&reader, &sequence.steps[i], call->mask, false);
  if (is_bulk_write(call->opcode))
    FOR_EACH_LANE(lane, call->mask)
  add(&reader, name_of("data"), lane, false);
}

void answer_items(struct items *items, const struct recorded_call *call) {
  struct sequence sequence;
  struct reader reader = {items, {call->answer, false}, 0};
  items->count = 0;
  items->damaged = !find_opcode(call->opcode, &sequence);
  if (items->damaged || !call->answer.size)
    return;
  if (prints(call->opcode)) {
    FOR_EACH_LANE(lane, call->mask) {
      add(&reader, name_of("printed"), lane, true);
      add(&reader, name_of("errno"), lane, true);
    }
    return;
  }
  if (is_bulk(call->opcode) && !is_bulk_write(call->opcode)) {
    FOR_EACH_LANE(lane, call->mask)
    add(&reader, name_of("data"), lane, false);
    ++reader.step;
  }
  for (unsigned i = sequence.request_steps;
       sequence.is_plain && i < sequence.count; ++i)
    add_step(&reader, &sequence.steps[i], call->mask, true);
}

//===-- For people --------------------------------------------------------===//

enum { SHOWN_BYTES = 48, SHOWN_BEFORE = 16 };

__attribute__((format(printf, 2, 3))) static void
print(struct buffer *to, const char *format, ...) {
  char text[160];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  append(to, text, size < (int)sizeof text ? (size_t)size : sizeof text - 1);
}

/// Some of a string, from `from` on; fail() makes it printable.
static void print_value(struct buffer *to, const struct item *item,
                        size_t from) {
  if (item->is_number) {
    const int64_t number = (int64_t)item->number;
    if (number > -4096 && number < (int64_t)1 << 40)
      return print(to, "%lld", (long long)number);
    return print(to, "0x%llx", (unsigned long long)number);
  }
  const size_t left = item->bytes.size - from,
               shown = left < SHOWN_BYTES ? left : SHOWN_BYTES;
  print(to, "\"");
  append(to, item->bytes.data + from, shown);
  print(to, "\"");
  if (shown < left)
    print(to, "... (%zu bytes)", left);
}

static void print_name(struct buffer *to, struct bytes name) {
  append(to, name.data, name.size);
}

static const char *opcode_name(uint32_t opcode) {
  struct sequence unused;
  const char *name = find_opcode(opcode, &unused);
  return name ? name : "unknown opcode";
}

void describe_call(struct buffer *to, const struct recorded_call *call) {
  struct items items = {0};
  const unsigned first = call->mask ? (unsigned)__builtin_ctzll(call->mask) : 0;
  const char *separator = "";
  request_items(&items, call);
  print(to, "%s(", opcode_name(call->opcode));
  for (size_t i = 0; i < items.count; ++i) {
    if (items.all[i].lane != first)
      continue;
    print(to, "%s", separator);
    print_name(to, items.all[i].name);
    print(to, " ");
    print_value(to, &items.all[i], 0);
    separator = ", ";
  }
  print(to, ")");
  free(items.all);
}

static void describe_values(struct buffer *to, const struct item *expected,
                            const struct item *found) {
  size_t at = 0, from = 0;
  if (!expected->is_number) {
    while (at < expected->bytes.size && at < found->bytes.size &&
           expected->bytes.data[at] == found->bytes.data[at])
      ++at;
    from = at > SHOWN_BYTES / 2 ? at - SHOWN_BEFORE : 0;
  }
  print(to, "lane %u: ", found->lane);
  print_name(to, found->name);
  print(to, ": expected ");
  print_value(to, expected, from);
  print(to, ", found ");
  print_value(to, found, from);
  if (from)
    print(to, " from byte %zu on", from);
  if (!expected->is_number)
    print(to, " (byte %zu is the first that differs)", at);
}

void describe_difference(struct buffer *to,
                         const struct recorded_call *expected,
                         const struct recorded_call *found) {
  if (expected->opcode != found->opcode) {
    print(to, "expected ");
    describe_call(to, expected);
    print(to, ", found ");
    return describe_call(to, found);
  }
  const char *name = opcode_name(found->opcode);
  if (expected->mask != found->mask)
    return print(to, "%s: expected lanes 0x%llx, found 0x%llx", name,
                 (unsigned long long)expected->mask,
                 (unsigned long long)found->mask);
  struct items then = {0}, now = {0};
  request_items(&then, expected);
  request_items(&now, found);
  for (size_t i = 0; i < then.count && i < now.count; ++i) {
    if (same_bytes(then.all[i].packed, now.all[i].packed))
      continue;
    print(to, "%s: ", name);
    describe_values(to, &then.all[i], &now.all[i]);
    break;
  }
  free(then.all);
  free(now.all);
}
