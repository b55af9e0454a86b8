//===-- replay/core/printed.c - Output of several waves -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/printed.h"
#include "replay/core/sequence.h"
#include <stdlib.h>
#include <string.h>

/// The word before a lane's text, which names the stream.
enum head { NONE, TAGGED, RAW, DESCRIPTOR, FLUSH };

static const struct form {
  uint32_t opcode;
  int stream; ///< 0: the head says which
  enum head head;
  bool prints, bulk;
  unsigned words; ///< of the answer
} forms[] = {
    {RPC_WRITE_TO_STDOUT, 1, NONE, false, false, 1},
    {RPC_WRITE_TO_STDOUT_NEWLINE, 1, NONE, false, false, 1},
    {RPC_WRITE_TO_STDERR, 2, NONE, false, false, 1},
    {RPC_WRITE_TO_STREAM, 0, RAW, false, false, 1},
    {RPC_PRINTF_TO_STDOUT, 1, NONE, true, false, 1},
    {RPC_PRINTF_TO_STDERR, 2, NONE, true, false, 1},
    {RPC_PRINTF_TO_STREAM, 0, RAW, true, false, 1},
    {RPC_PRINTF_TO_STDOUT_PACKED, 1, NONE, true, false, 1},
    {RPC_PRINTF_TO_STDERR_PACKED, 2, NONE, true, false, 1},
    {RPC_PRINTF_TO_STREAM_PACKED, 0, RAW, true, false, 1},
    {RPC_PRINTF_SLOTS, 0, TAGGED, true, false, 1},
    {RPC_PRINTF_LONG_SLOTS, 0, TAGGED, true, false, 1},
    {RPC_BULK_WRITE_STREAM, 0, TAGGED, false, true, 2},
    {RPC_BULK_WRITE, 0, DESCRIPTOR, false, true, 2},
    {RPC_WRITE, 0, DESCRIPTOR, false, false, 1},
    {RPC_FFLUSH, 0, FLUSH, false, false, 1}, // prints nothing by itself
};

/// The standard stream, 1 or 2, that the word names; 0 for another one.
static int stream_of(enum head head, uint64_t word) {
  if (head == DESCRIPTOR)
    return word == 1 || word == 2 ? (int)word : 0;
  if (head == TAGGED || head == FLUSH)
    word &= RPC_STREAM_TAG_MASK;
  return word == RPC_STREAM_STDOUT ? 1 : word == RPC_STREAM_STDERR ? 2 : 0;
}

/// Reads the word. False if it is no standard stream, or another one than that
/// of an earlier lane.
static bool read_head(const struct form *form, struct packed *from,
                      struct output_call *output) {
  const int stream = stream_of(form->head, read_number(from));
  if (form->head == NONE)
    return true; // printf to a fixed stream: the word is not used
  if (output->stream && output->stream != stream)
    return false;
  output->stream = stream;
  return stream != 0;
}

bool read_output_call(const struct recorded_call *call,
                      struct output_call *output) {
  const struct form *form = forms, *const end =
                                       forms + sizeof forms / sizeof *forms;
  while (form != end && form->opcode != call->opcode)
    ++form;
  if (form == end || !call->mask)
    return false;
  const unsigned lanes = (unsigned)__builtin_popcountll(call->mask);
  struct packed from = {call->request, false};
  *output = (struct output_call){.stream = form->stream,
                                 .newline = call->opcode ==
                                            RPC_WRITE_TO_STDOUT_NEWLINE,
                                 .words = form->words};
  for (unsigned i = 0; i < lanes && (form->prints || form->head != NONE); ++i) {
    if (!read_head(form, &from, output))
      return false;
    if (form->prints) {
      if (read_number(&from)) // with an error
        return false;
      output->texts[output->count++] = read_bytes(&from);
      continue;
    }
    if (form->bulk)
      read_number(&from); // the length
    if (form->head == DESCRIPTOR && (int64_t)read_number(&from) >= 0)
      return false; // at an offset
  }
  const struct bytes nothing = {from.left.data, 0};
  while (!form->prints && output->count < lanes)
    output->texts[output->count++] =
        form->head == FLUSH ? nothing : read_bytes(&from);
  return !from.failed;
}

void pack_output_answer(struct buffer *to, const struct output_call *output) {
  for (unsigned i = 0; i < output->count; ++i) {
    append_number(to, output->texts[i].size + output->newline);
    for (unsigned word = 1; word < output->words; ++word)
      append_number(to, 0);
    append_number(to, 0); // errno
  }
}

size_t printed_size(const struct printed *printed) {
  return printed->text[0].size + printed->text[1].size;
}

void add_printed(struct printed *to, const struct output_call *output) {
  struct buffer *text = &to->text[output->stream - 1];
  for (unsigned i = 0; i < output->count; ++i) {
    append(text, output->texts[i].data, output->texts[i].size);
    if (output->newline)
      append(text, "\n", 1);
  }
}

//===-- Comparing ---------------------------------------------------------===//

struct lines {
  struct bytes *all;
  size_t count;
};

static int compare_lines(const void *a, const void *b) {
  return compare_bytes(*(const struct bytes *)a, *(const struct bytes *)b);
}

static struct lines sorted_lines(const struct buffer *text) {
  struct lines lines = {NULL, 0};
  const uint8_t *at = text->data, *const end = at + text->size;
  for (size_t i = 0; i < text->size; ++i)
    lines.count += text->data[i] == '\n' || i + 1 == text->size;
  lines.all = allocate(lines.count + 1, sizeof *lines.all);
  for (size_t i = 0; i < lines.count; ++i) {
    const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
    lines.all[i] = (struct bytes){at, (size_t)((newline ? newline : end) - at)};
    at = newline ? newline + 1 : end;
  }
  qsort(lines.all, lines.count, sizeof *lines.all, compare_lines);
  return lines;
}

/// The first line of `lines` that `in` lacks; NULL: none. Both are sorted.
static const struct bytes *first_lacking(struct lines lines, struct lines in) {
  size_t other = 0;
  for (size_t i = 0; i < lines.count; ++i, ++other) {
    while (other < in.count && compare_bytes(in.all[other], lines.all[i]) < 0)
      ++other;
    if (other == in.count || compare_bytes(in.all[other], lines.all[i]))
      return &lines.all[i];
  }
  return NULL;
}

static bool same_counts(const struct buffer *a, const struct buffer *b) {
  size_t counts[256] = {0};
  for (size_t i = 0; i < a->size; ++i)
    ++counts[a->data[i]];
  for (size_t i = 0; i < b->size; ++i)
    --counts[b->data[i]];
  for (unsigned i = 0; i < 256; ++i)
    if (counts[i])
      return false;
  return true;
}

/// Compares the output of a stream. False if it is the same, or an allowed
/// variation (compare_printed()).
static bool compare_stream(const struct buffer *recorded,
                           const struct buffer *now, bool more,
                           struct printed_difference *difference) {
  if (same_bytes(view(recorded), view(now)))
    return false;
  const struct lines then = sorted_lines(recorded), lines = sorted_lines(now);
  const struct bytes *missing = first_lacking(then, lines),
                     *added = first_lacking(lines, then);
  bool differs = missing || (added && !more);
  // Several waves may have put lines together: then the counts of bytes decide.
  if (differs)
    differs = recorded->size == now->size ? !same_counts(recorded, now)
                                          : !more || missing;
  if (differs) {
    difference->missing = missing;
    difference->line = missing ? *missing : *added;
  }
  free(then.all);
  free(lines.all);
  return differs;
}

bool compare_printed(const struct printed *recorded, const struct printed *now,
                     bool more, struct printed_difference *difference) {
  for (int i = 0; i < 2; ++i) {
    difference->stream = i + 1;
    if (compare_stream(&recorded->text[i], &now->text[i], more, difference))
      return true;
  }
  return false;
}

void describe_printed(struct buffer *to,
                      const struct printed_difference *difference) {
  enum { SHOWN = 80 };
  const size_t size = difference->line.size;
  append_format(to, "%s: %s line '",
                difference->stream == 2 ? "standard error" : "standard output",
                difference->missing ? "without the recorded" : "with another");
  append(to, difference->line.data, size < SHOWN ? size : SHOWN);
  append(to, "'", 1);
}
