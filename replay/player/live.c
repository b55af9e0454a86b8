//===-- replay/player/live.c - Calls served for real ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/live.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct live *make_live(struct host *host) {
  struct live *live = allocate(1, sizeof *live);
  live->host = host;
  for (int i = 0; i < MOST_FILES; ++i)
    live->files[i] = i < 3 ? i : -1;
  for (int i = 0; i < 3; ++i) {
    struct stream *stream = live->streams[i] = allocate(1, sizeof *stream);
    stream->fd = i;
    stream->readable = i == 0;
    stream->writable = i != 0;
    stream->number = i;
    stream->buffering = i == 2 ? UNBUFFERED : isatty(i) ? LINE : FULL;
  }
  return live;
}

bool flush_live(struct live *live) {
  bool good = true;
  for (int i = 0; i < MOST_FILES; ++i)
    if (live->streams[i] && live->streams[i]->out.size)
      good &= flush_stream(live->streams[i]) == 0;
  return good && !live->streams[1]->error;
}

void set_error(struct lane_values *lane, int error) {
  lane->error = error;
  lane->failed = true;
}

void set_result(struct lane_values *lane, int64_t result) {
  if (result == -1)
    set_error(lane, errno);
  else
    lane->value = result;
}

//===-- Calls -------------------------------------------------------------===//

/// A lane's request, in memory that lives while the call is served.
struct inputs {
  uint64_t words[MOST_WORDS];
  struct bytes bytes[MOST_STREAMS];
  const char *text[MOST_STREAMS];
};

static void take_inputs(struct call *call, uint64_t lane, struct inputs *inputs,
                        struct lane_values *values) {
  for (unsigned i = 0; i < call->word_count; ++i)
    inputs->words[i] = call->words[i][lane];
  for (unsigned i = 0; i < call->stream_count; ++i) {
    struct buffer *stream = &call->streams[i][lane];
    *reserve(stream, 1) = 0;
    inputs->bytes[i] = view(stream);
    inputs->text[i] = (const char *)stream->data;
  }
  *values = (struct lane_values){
      .in = inputs->words, .bytes = inputs->bytes, .text = inputs->text};
}

static void pack_answer(struct call *call, struct lane_values *lanes,
                        struct buffer *answer) {
  for (unsigned i = call->sequence.request_steps; i < call->sequence.count;
       ++i) {
    const struct step *step = &call->sequence.steps[i];
    FOR_EACH_LANE(lane, call->port->mask) {
      const struct lane_values *values = &lanes[lane];
      if (step->kind == STREAM) {
        append_bytes(answer, view(&values->out));
      } else if (step->kind == RECORD) {
        append_bytes(answer,
                     (struct bytes){values->record, sizeof values->record});
      } else {
        append_number(answer,
                      (uint64_t)(values->failed ? error_value(&call->sequence)
                                                : values->value));
        for (unsigned word = 1; word < step->words; ++word)
          append_number(answer, values->words[word - 1]);
        append_number(answer, (uint64_t)values->error);
      }
    }
  }
}

bool serve_live(struct live *live, struct call *call, struct buffer *answer) {
  const uint32_t opcode = call->noted.opcode;
  live_service *service = stream_service(opcode);
  service = service ? service : file_service(opcode);
  service = service ? service : process_service(opcode);
  if (!service)
    return false;
  struct lane_values *lanes = allocate(64, sizeof *lanes);
  FOR_EACH_LANE(lane, call->port->mask) {
    struct inputs inputs;
    take_inputs(call, lane, &inputs, &lanes[lane]);
    service(live, &lanes[lane]);
  }
  pack_answer(call, lanes, answer);
  for (int lane = 0; lane < 64; ++lane)
    free(lanes[lane].out.data);
  free(lanes);
  return true;
}

void print_live(struct live *live, struct call *call, struct buffer *answer) {
  const struct print_call *print = &call->print;
  const uint32_t opcode = call->noted.opcode;
  FOR_EACH_LANE(lane, call->port->mask) {
    const uint64_t handle = print->handles[lane];
    struct stream *stream;
    if (opcode == RPC_PRINTF_TO_STDOUT || opcode == RPC_PRINTF_TO_STDOUT_PACKED)
      stream = live->streams[1];
    else if (opcode == RPC_PRINTF_TO_STDERR ||
             opcode == RPC_PRINTF_TO_STDERR_PACKED)
      stream = live->streams[2];
    else if (opcode == RPC_PRINTF_SLOTS || opcode == RPC_PRINTF_LONG_SLOTS)
      stream = tagged_stream(live, handle);
    else
      stream = raw_stream(live, handle);
    const struct bytes text = {print->texts.data + print->begins[lane],
                               print->sizes[lane]};
    int error = print->errors[lane];
    uint64_t written = 0;
    if (!error && !stream)
      error = EBADF;
    if (!error)
      written = write_stream(stream, text, &error);
    append_number(answer, error || written < text.size ? UINT64_MAX : written);
    append_number(answer, (uint64_t)error);
  }
}
