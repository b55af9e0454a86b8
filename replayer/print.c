//===-- replayer/print.c - PRINTF_TO_... (spec section 3.9) ---------------===//
// The device sends format, arguments and, round by round, the strings that %s
// names. They are kept by argument: lanes may have different numbers of them.
//===----------------------------------------------------------------------===//
#include "replayer/print.h"
#include "replayer/format.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Of one lane.
struct lane {
  struct format format;
  struct bytes block; ///< the arguments
  struct buffer *copies;
  size_t asked; ///< strings asked for or skipped so far
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

/// Formats, arguments and streams of all lanes. `blocks` holds arguments that
/// come after the format.
static void begin_lanes(struct call *call, struct lane *lanes,
                        struct buffer blocks[64], struct print_call *print) {
  struct port *port = call->port;
  const uint32_t opcode = call->noted.opcode;
  const enum packing packing = packing_of(opcode);
  FOR_EACH_LANE(lane, port->mask) {
    struct bytes format = view(&call->streams[0][lane]);
    print->handles[lane] = call->word_count ? call->words[0][lane] : 0;
    if (opcode == RPC_PRINTF_SLOTS)
      split_message(format, &print->handles[lane], &format, &lanes[lane].block);
    parse_format(&lanes[lane].format, format, packing);
  }
  if (opcode == RPC_PRINTF_SLOTS)
    return;
  begin_send(port);
  FOR_EACH_LANE(lane, port->mask)
  packet_of(port, lane)->words[0] = lanes[lane].format.block_size;
  hand_over(port);
  receive_streams(port, blocks);
  FOR_EACH_LANE(lane, port->mask)
  lanes[lane].block = view(&blocks[lane]);
}

/// A string of 32-bit characters in the C locale; false where one is not ASCII.
static bool narrow(struct buffer *text) {
  size_t size = 0;
  for (size_t at = 0; at + 4 <= text->size; at += 4) {
    uint32_t character;
    memcpy(&character, text->data + at, 4);
    if (character > 0x7f)
      return false;
    text->data[size++] = (uint8_t)character;
    if (!character)
      break;
  }
  text->size = size;
  return true;
}

/// What a lane has sent for a string: its bytes, or how many there are to read
/// where it lies (RPC_STRING_THERE). errno or 0.
static int take_string(struct host *host, struct buffer *text, uint64_t address,
                       uint64_t limit, bool wide) {
  if (limit > 8 && text->size == 8 && text->data[7] != 0) {
    uint64_t size;
    memcpy(&size, text->data, sizeof size);
    size = ~size;
    if (limit < size / (wide ? 4 : 1))
      size = limit * (wide ? 4 : 1);
    text->size = 0;
    if (size > MOST_STREAM_BYTES)
      return ENOMEM;
    const int error = read_memory(host, reserve(text, size), address, size);
    if (error)
      return error;
    text->size = size;
  }
  return wide && text->size % 4 == 0 && !narrow(text) ? EILSEQ : 0;
}

/// Asks for one string of each lane. False: nobody has any left.
static bool fetch_strings(struct host *host, struct port *port,
                          struct lane *lanes, struct print_call *print) {
  uint64_t addresses[64] = {0}, limits[64] = {0}, any = 0;
  bool wide[64] = {false};
  FOR_EACH_LANE(lane, port->mask) {
    struct lane *l = &lanes[lane];
    for (; l->asked < l->format.string_count && !addresses[lane]; ++l->asked) {
      const struct string_argument *string = &l->format.strings[l->asked];
      addresses[lane] = string_address(&l->format, string, l->block);
      limits[lane] = string_precision(&l->format, string, l->block);
      wide[lane] = string->wide;
    } // null ones print as (null), nothing to fetch
    any |= addresses[lane];
  }
  if (!any)
    return false;
  begin_send(port);
  FOR_EACH_LANE(lane, port->mask) {
    rpc_packet *packet = packet_of(port, lane);
    packet->words[1] = addresses[lane];
    packet->words[2] = limits[lane];
    packet->words[3] = wide[lane];
  }
  hand_over(port);
  struct buffer strings[64] = {{0}};
  receive_streams(port, strings);
  FOR_EACH_LANE(lane, port->mask) {
    if (!addresses[lane]) {
      free(strings[lane].data);
      continue;
    }
    const int error = take_string(host, &strings[lane], addresses[lane],
                                  limits[lane], wide[lane]);
    print->errors[lane] = print->errors[lane] ? print->errors[lane] : error;
    lanes[lane].copies[lanes[lane].asked - 1] = strings[lane];
  }
  return true;
}

static void make_text(struct lane *lane, struct buffer *texts, int *error,
                      bool llvm_style) {
  const size_t begin = texts->size, count = lane->format.string_count;
  struct bytes *copies = calloc(count + 1, sizeof *copies);
  if (!copies)
    fail(STATUS_FAILED, "out of memory");
  for (size_t i = 0; i < count; ++i)
    copies[i] = view(&lane->copies[i]);
  if (!*error)
    *error =
        print_format(&lane->format, texts, lane->block, copies, llvm_style);
  if (*error)
    texts->size = begin;
  free(copies);
}

static void free_lane(struct lane *lane) {
  for (size_t i = 0; i < lane->format.string_count; ++i)
    free(lane->copies[i].data);
  free(lane->copies);
  free_format(&lane->format);
}

void make_texts(struct host *host, struct call *call, bool llvm_style,
                struct print_call *print) {
  struct port *port = call->port;
  struct lane lanes[64];
  struct buffer blocks[64] = {{0}};
  memset(lanes, 0, sizeof lanes);
  memset(print->errors, 0, sizeof print->errors);
  print->texts.size = 0;
  begin_lanes(call, lanes, blocks, print);
  FOR_EACH_LANE(lane, port->mask) {
    lanes[lane].copies =
        calloc(lanes[lane].format.string_count + 1, sizeof *lanes[lane].copies);
    if (!lanes[lane].copies)
      fail(STATUS_FAILED, "out of memory");
  }
  while (fetch_strings(host, port, lanes, print))
    ;
  call->notes.size = 0; // of format and arguments
  FOR_EACH_LANE(lane, port->mask) {
    print->begins[lane] = print->texts.size;
    make_text(&lanes[lane], &print->texts, &print->errors[lane],
              llvm_style && packing_of(call->noted.opcode) != SLOTS);
    print->sizes[lane] = print->texts.size - print->begins[lane];
    const uint64_t tag = print->handles[lane] & RPC_STREAM_TAG_MASK;
    append_number(&call->notes,
                  tag == RPC_STREAM_FILE ? print->handles[lane] : tag);
    append_number(&call->notes, (uint64_t)print->errors[lane]);
    append_bytes(&call->notes,
                 (struct bytes){print->texts.data + print->begins[lane],
                                print->sizes[lane]});
    free_lane(&lanes[lane]);
    free(blocks[lane].data);
  }
  call->noted.request = view(&call->notes);
}

bool send_printed(struct call *call, struct bytes answer) {
  struct packed from = {answer, false};
  uint64_t values[64], errors[64];
  FOR_EACH_LANE(lane, call->port->mask) {
    values[lane] = read_number(&from);
    errors[lane] = read_number(&from);
  }
  if (from.failed)
    return false;
  begin_send(call->port);
  FOR_EACH_LANE(lane, call->port->mask) {
    rpc_packet *packet = packet_of(call->port, lane);
    packet->words[0] = values[lane];
    packet->words[1] = 0; // the end of the rounds
    packet->words[RPC_ERRNO_WORD] = errors[lane];
  }
  hand_over(call->port);
  return true;
}
