//===-- replay/player/print.c - PRINTF_TO_... (spec section 3.9) ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device sends format, arguments and, round by round, the strings that %s
// names. They are kept by argument: lanes may have different numbers of them.
//===----------------------------------------------------------------------===//
#include "replay/player/call.h"
#include "replay/player/process.h"
#include "rpc/format/format.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct format_bytes as_format(struct bytes bytes) {
  return (struct format_bytes){(const char *)bytes.data, bytes.size};
}

/// The state of one lane.
struct print_lane {
  struct format format;
  struct bytes block;      ///< the arguments
  struct buffer arguments; ///< where they came after the format
  struct buffer *copies;
  size_t asked;     ///< strings asked for or skipped so far
  uint64_t address; ///< of the string asked for last; 0: none was
};

/// `call` of PRINTF_SLOTS: stream, format with its NUL, zeros up to a multiple
/// of 8, arguments.
static void split_message(struct bytes message, uint64_t *stream,
                          struct bytes *format, struct bytes *block) {
  *stream = 0;
  *format = *block = (struct bytes){0};
  if (message.size < sizeof *stream)
    return;
  memcpy(stream, message.data, sizeof *stream);
  message.data += sizeof *stream;
  message.size -= sizeof *stream;
  *format = (struct bytes){message.data,
                           strnlen((const char *)message.data, message.size)};
  const size_t before = (format->size + 8) & ~(size_t)7;
  if (before <= message.size)
    *block = (struct bytes){message.data + before, message.size - before};
}

static enum packing packing_of(uint32_t opcode) {
  switch (opcode) {
  case RPC_PRINTF_TO_STDOUT:
  case RPC_PRINTF_TO_STDERR:
  case RPC_PRINTF_TO_STREAM:
    return ALIGNED;
  case RPC_PRINTF_SLOTS:
  case RPC_PRINTF_LONG_SLOTS:
    return SLOTS;
  default:
    return PACKED;
  }
}

/// Sets format, stream and, if they have arrived, arguments of all lanes.
static void begin_lanes(struct call *call) {
  struct print_call *print = &call->print;
  const uint32_t opcode = call->noted.opcode;
  print->lanes = allocate(64, sizeof *print->lanes);
  print->texts.size = 0;
  FOR_EACH_LANE(lane, call->port->mask) {
    struct print_lane *l = &print->lanes[lane];
    struct bytes format = view(&call->streams[0][lane]);
    print->handles[lane] = call->word_count ? call->words[0][lane] : 0;
    print->errors[lane] = 0;
    if (opcode == RPC_PRINTF_SLOTS)
      split_message(format, &print->handles[lane], &format, &l->block);
    if (!parse_format(&l->format, as_format(format), packing_of(opcode)))
      fail(STATUS_FAILED, "out of memory");
    l->copies = allocate(l->format.string_count + 1, sizeof *l->copies);
  }
}

// The host owns the port in these functions: a stream of the client has just
// arrived completely.

static void ask_for_arguments(struct call *call) {
  FOR_EACH_LANE(lane, call->port->mask)
  packet_of(call->port, lane)->words[0] =
      call->print.lanes[lane].format.block_size;
  hand_over(call->port);
  call->print.receives = ARGUMENTS;
}

static void take_arguments(struct call *call) {
  FOR_EACH_LANE(lane, call->port->mask) {
    struct print_lane *l = &call->print.lanes[lane];
    l->arguments = call->print.received[lane];
    l->block = view(&l->arguments);
    call->print.received[lane] = (struct buffer){0};
  }
}

/// Takes a lane's string: the bytes that it has sent, or, if it has sent
/// RPC_STRING_THERE, bytes of the program's memory. errno or 0.
static int take_string(struct host *host, struct buffer *text,
                       const struct string_argument *string, uint64_t address,
                       uint64_t limit) {
  const uint64_t there = size_there(as_format(view(text)), string->wide, limit);
  if (there) {
    text->size = 0;
    if (there > MOST_STREAM_BYTES)
      return ENOMEM;
    const int error = read_memory(host, reserve(text, there), address, there);
    if (error)
      return error;
    text->size = there;
  }
  char *data = (char *)text->data;
  return string->wide && text->size % 4 == 0 &&
                 !narrow_string(data, &text->size, as_format(view(text)),
                                string->utf8, limit)
             ? EILSEQ
             : 0;
}

/// Asks for the next string of each lane. False: no lane has any left.
static bool ask_for_strings(struct call *call) {
  struct port *port = call->port;
  struct print_lane *lanes = call->print.lanes;
  uint64_t any = 0;
  FOR_EACH_LANE(lane, port->mask) {
    struct print_lane *l = &lanes[lane];
    l->address = 0; // null ones print as (null), nothing to fetch
    while (l->asked < l->format.string_count && !l->address)
      l->address = string_address(&l->format, &l->format.strings[l->asked++],
                                  as_format(l->block));
    any |= l->address;
  }
  if (!any)
    return false;
  FOR_EACH_LANE(lane, port->mask) {
    const struct print_lane *l = &lanes[lane];
    rpc_packet *packet = packet_of(port, lane);
    packet->words[1] = l->address;
    if (!l->address)
      continue;
    const struct string_argument *string = &l->format.strings[l->asked - 1];
    packet->words[2] =
        string_precision(&l->format, string, as_format(l->block));
    packet->words[3] = string->wide;
  }
  hand_over(port);
  call->print.receives = STRINGS;
  return true;
}

static void take_strings(struct host *host, struct call *call) {
  struct print_call *print = &call->print;
  FOR_EACH_LANE(lane, call->port->mask) {
    struct print_lane *l = &print->lanes[lane];
    if (!l->address)
      continue;
    const struct string_argument *string = &l->format.strings[l->asked - 1];
    struct buffer *text = &l->copies[l->asked - 1];
    *text = print->received[lane];
    print->received[lane] = (struct buffer){0};
    const int error =
        take_string(host, text, string, l->address,
                    string_precision(&l->format, string, as_format(l->block)));
    if (!print->errors[lane])
      print->errors[lane] = error;
  }
}

/// A buffer as a format_output of the formatter.
struct buffer_output {
  struct format_output output;
  struct buffer *buffer;
};

static bool grow_buffer(struct format_output *output, size_t more) {
  struct buffer *buffer = ((struct buffer_output *)output)->buffer;
  buffer->size = output->size;
  reserve(buffer, more);
  output->data = (char *)buffer->data;
  output->room = buffer->capacity;
  return true;
}

static void make_text(struct print_lane *lane, struct buffer *texts, int *error,
                      bool llvm_style) {
  const size_t begin = texts->size, count = lane->format.string_count;
  struct format_bytes *copies = allocate(count + 1, sizeof *copies);
  struct buffer_output to = {
      {(char *)texts->data, begin, texts->capacity, grow_buffer}, texts};
  for (size_t i = 0; i < count; ++i)
    copies[i] = as_format(view(&lane->copies[i]));
  if (!*error)
    *error = print_format(&lane->format, &to.output, as_format(lane->block),
                          copies, count, llvm_style);
  texts->size = *error ? begin : to.output.size;
  free(copies);
}

static void free_lane(struct print_lane *lane) {
  for (size_t i = 0; i < lane->format.string_count; ++i)
    free(lane->copies[i].data);
  free(lane->copies);
  free(lane->arguments.data);
  free_format(&lane->format);
}

/// The texts become the call's request.
static void note_texts(struct call *call, bool llvm_style) {
  struct print_call *print = &call->print;
  call->notes.size = 0; // of format and arguments
  FOR_EACH_LANE(lane, call->port->mask) {
    print->begins[lane] = print->texts.size;
    make_text(&print->lanes[lane], &print->texts, &print->errors[lane],
              llvm_style && packing_of(call->noted.opcode) != SLOTS);
    print->sizes[lane] = print->texts.size - print->begins[lane];
    const uint64_t tag = print->handles[lane] & RPC_STREAM_TAG_MASK;
    append_number(&call->notes,
                  tag == RPC_STREAM_FILE ? print->handles[lane] : tag);
    append_number(&call->notes, (uint64_t)print->errors[lane]);
    append_bytes(&call->notes,
                 (struct bytes){print->texts.data + print->begins[lane],
                                print->sizes[lane]});
    free_lane(&print->lanes[lane]);
  }
  call->noted.request = view(&call->notes);
}

bool make_texts(struct host *host, struct call *call, bool llvm_style) {
  struct print_call *print = &call->print;
  if (!print->lanes) {
    begin_lanes(call);
    if (call->noted.opcode != RPC_PRINTF_SLOTS)
      ask_for_arguments(call);
  }
  do {
    if (print->receives != NOTHING &&
        !receive_streams(call->port, &call->incoming, print->received))
      return false;
    if (print->receives == ARGUMENTS)
      take_arguments(call);
    if (print->receives == STRINGS)
      take_strings(host, call);
    print->receives = NOTHING;
  } while (ask_for_strings(call));
  note_texts(call, llvm_style);
  free(print->lanes);
  print->lanes = NULL;
  return true;
}

bool send_printed(struct call *call) {
  if (!begin_send(call->port))
    return false;
  FOR_EACH_LANE(lane, call->port->mask) {
    rpc_packet *packet = packet_of(call->port, lane);
    packet->words[0] = read_number(&call->left);
    packet->words[1] = 0; // the end of the rounds
    packet->words[RPC_ERRNO_WORD] = read_number(&call->left);
  }
  hand_over(call->port);
  return true;
}
