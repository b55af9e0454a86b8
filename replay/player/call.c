//===-- replay/player/call.c - One call of a wave -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/call.h"
#include <errno.h>
#include <string.h>

int read_memory(struct host *host, void *to, uint64_t from, uint64_t size) {
  const uint8_t *view = mailbox_view(host->mailbox, from, size);
  if (!view)
    return size ? host->device->read(host->device, to, from, size) : 0;
  memcpy(to, view, size);
  return 0;
}

bool holds_memory(struct host *host, uint64_t address, uint64_t size,
                  bool writes) {
  const uint8_t *view = mailbox_view(host->mailbox, address, size);
  if (!view)
    return !size || host->device->holds(host->device, address, size, writes);
  // In the mailbox the program may write only its own part, not the host's
  // words.
  return !writes || view >= mailbox_output(host->mailbox)->text;
}

int write_memory(struct host *host, uint64_t to, const void *from,
                 uint64_t size) {
  uint8_t *view = mailbox_view(host->mailbox, to, size);
  if (!view)
    return size ? host->device->write(host->device, to, from, size) : 0;
  if (!holds_memory(host, to, size, true))
    return EFAULT;
  memcpy(view, from, size);
  return 0;
}

//===-- Requests ----------------------------------------------------------===//

/// The value that is noted for a tagged stream word: for a standard stream the
/// tag alone.
static uint64_t noted_stream(uint64_t word) {
  const uint64_t tag = word & RPC_STREAM_TAG_MASK;
  return tag == RPC_STREAM_FILE ? word : tag;
}

static void note_text(struct buffer *notes, uint64_t (*words)[64],
                      unsigned count, uint64_t lane) {
  uint64_t text[RPC_PACKET_WORDS];
  for (unsigned i = 0; i < count; ++i)
    text[i] = words[i][lane];
  const size_t size = strnlen((const char *)text, count * sizeof *text);
  append_bytes(notes, (struct bytes){(const uint8_t *)text, size});
}

static bool receive_packet(struct call *call, const struct step *step) {
  uint64_t(*words)[64] = call->words + call->word_count;
  if (!receive(call->port))
    return false;
  for (unsigned i = 0; i < step->words; ++i)
    FOR_EACH_LANE(lane, call->port->mask)
  words[i][lane] = read_word(call->port, lane, i);
  call->word_count += step->words;
  FOR_EACH_LANE(lane, call->port->mask) {
    for (unsigned i = 0; i < step->field_count; ++i) {
      const struct field *field = &step->fields[i];
      const uint64_t word = words[field->word][lane];
      if (is_text(field->name, "address")) {
        if (call->noted.address_count < 64)
          call->addresses[call->noted.address_count++] = word;
      } else if (is_text(field->name, "stream"))
        append_number(&call->notes, noted_stream(word));
      else if (field->is_text)
        note_text(&call->notes, words + field->word, field->words, lane);
      else if (!is_text(field->name, "_"))
        append_number(&call->notes, word);
    }
  }
  return true;
}

static bool receive_stream(struct call *call) {
  struct buffer *streams = call->streams[call->stream_count];
  if (!receive_streams(call->port, &call->incoming, streams))
    return false;
  ++call->stream_count;
  FOR_EACH_LANE(lane, call->port->mask)
  append_bytes(&call->notes, view(&streams[lane]));
  return true;
}

/// Sends an empty packet.
static bool send_nothing(struct port *port) {
  if (!begin_send(port))
    return false;
  hand_over(port);
  return true;
}

static void note_memory(struct host *host, struct buffer *notes,
                        uint64_t address, uint64_t size) {
  const size_t before = notes->size;
  if (size > MOST_STREAM_BYTES)
    size = 0; // larger than anything in a recording
  append_number(notes, size);
  if (!read_memory(host, reserve(notes, size), address, size)) {
    notes->size += size;
    return;
  }
  notes->size = before; // the program has no such memory
  append_number(notes, 0);
}

bool receive_request(struct host *host, struct call *call) {
  for (; call->step < call->sequence.request_steps; ++call->step) {
    const struct step *step = &call->sequence.steps[call->step];
    if (!(!step->by_client       ? send_nothing(call->port)
          : step->kind == STREAM ? receive_stream(call)
                                 : receive_packet(call, step)))
      return false;
  }
  if (is_bulk_write(call->noted.opcode))
    FOR_EACH_LANE(lane, call->port->mask)
  note_memory(host, &call->notes, call->words[BULK_ADDRESS][lane],
              call->words[BULK_LENGTH][lane]);
  call->noted.request = view(&call->notes);
  call->noted.addresses = call->addresses;
  return true;
}

//===-- Answers -----------------------------------------------------------===//

/// Takes the step's part from the answer.
static void take_part(struct call *call, const struct step *step) {
  FOR_EACH_LANE(lane, call->port->mask) {
    if (step->kind != PACKET) {
      call->parts[lane] = read_bytes(&call->left);
      continue;
    }
    for (unsigned word = 0; word < step->words; ++word)
      call->results[word][lane] = read_number(&call->left);
    call->results[RPC_ERRNO_WORD][lane] = read_number(&call->left);
  }
}

/// Sends half of an object, or zeros if the answer has none.
static void fill_half(rpc_packet *packet, struct bytes object, uint64_t at) {
  memset(packet, 0, sizeof *packet);
  if (object.size == 2 * RPC_PACKET_BYTES)
    memcpy(packet, object.data + at, sizeof *packet);
}

static void fill_packet(struct call *call, unsigned words) {
  FOR_EACH_LANE(lane, call->port->mask) {
    rpc_packet *packet = packet_of(call->port, lane);
    for (unsigned word = 0; word < words; ++word)
      packet->words[word] = call->results[word][lane];
    packet->words[RPC_ERRNO_WORD] = call->results[RPC_ERRNO_WORD][lane];
  }
}

/// Sends the step's next packet. False: it has no more.
static bool fill(struct call *call, const struct step *step) {
  if (step->kind == STREAM)
    return fill_streams(call->port, call->parts, &call->sent);
  if (step->kind == PACKET) {
    fill_packet(call, step->words);
    return false;
  }
  FOR_EACH_LANE(lane, call->port->mask)
  fill_half(packet_of(call->port, lane), call->parts[lane], call->sent);
  call->sent += RPC_PACKET_BYTES;
  return call->sent < 2 * RPC_PACKET_BYTES;
}

bool send_answer(struct call *call) {
  while (call->step < call->sequence.count) {
    const struct step *step = &call->sequence.steps[call->step];
    if (!begin_send(call->port))
      return false;
    if (!call->sent)
      take_part(call, step);
    if (call->left.failed)
      return true;
    const bool more = fill(call, step);
    hand_over(call->port);
    if (!more) {
      call->sent = 0;
      ++call->step;
    }
  }
  return true;
}
