//===-- replayer/call.c - One call of a wave ------------------------------===//
#include "replayer/call.h"
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
  // Of the mailbox the program's own part may be written: not our words.
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

/// A tagged word as it is noted: of a standard stream only the tag counts.
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

static void receive_packet(struct call *call, const struct step *step) {
  uint64_t(*words)[64] = call->words + call->word_count;
  receive(call->port);
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
}

static void receive_stream(struct call *call) {
  struct buffer *streams = call->streams[call->stream_count++];
  receive_streams(call->port, streams);
  FOR_EACH_LANE(lane, call->port->mask)
  append_bytes(&call->notes, view(&streams[lane]));
}

static void note_memory(struct host *host, struct buffer *notes,
                        uint64_t address, uint64_t size) {
  const size_t before = notes->size;
  if (size > MOST_STREAM_BYTES)
    size = 0; // nothing that is recorded is so large
  append_number(notes, size);
  if (!read_memory(host, reserve(notes, size), address, size)) {
    notes->size += size;
    return;
  }
  notes->size = before; // it is not the program's
  append_number(notes, 0);
}

void receive_request(struct host *host, struct call *call) {
  call->word_count = call->stream_count = call->noted.address_count = 0;
  call->notes.size = 0;
  for (unsigned i = 0; i < call->sequence.request_steps; ++i) {
    const struct step *step = &call->sequence.steps[i];
    if (!step->by_client) { // an empty packet: the client's turn again
      begin_send(call->port);
      hand_over(call->port);
    } else if (step->kind == STREAM) {
      receive_stream(call);
    } else {
      receive_packet(call, step);
    }
  }
  if (is_bulk_write(call->noted.opcode))
    FOR_EACH_LANE(lane, call->port->mask)
  note_memory(host, &call->notes, call->words[BULK_ADDRESS][lane],
              call->words[BULK_LENGTH][lane]);
  call->noted.request = view(&call->notes);
  call->noted.addresses = call->addresses;
}

//===-- Answers -----------------------------------------------------------===//

static void send_packet(struct port *port, const uint64_t (*words)[64],
                        unsigned count) {
  begin_send(port);
  FOR_EACH_LANE(lane, port->mask) {
    rpc_packet *packet = packet_of(port, lane);
    for (unsigned word = 0; word < count; ++word)
      packet->words[word] = words[word][lane];
    packet->words[RPC_ERRNO_WORD] = words[RPC_ERRNO_WORD][lane];
  }
  hand_over(port);
}

static void send_record(struct port *port, const struct bytes records[64]) {
  for (unsigned half = 0; half < 2; ++half) {
    begin_send(port);
    FOR_EACH_LANE(lane, port->mask) {
      rpc_packet *packet = packet_of(port, lane);
      memset(packet, 0, sizeof *packet);
      if (records[lane].size == 2 * RPC_PACKET_BYTES)
        memcpy(packet, records[lane].data + half * RPC_PACKET_BYTES,
               sizeof *packet);
    }
    hand_over(port);
  }
}

bool send_answer(struct call *call, struct bytes answer) {
  struct port *port = call->port;
  struct packed from = {answer, false};
  for (unsigned i = call->sequence.request_steps; i < call->sequence.count;
       ++i) {
    const struct step *step = &call->sequence.steps[i];
    uint64_t words[RPC_PACKET_WORDS][64];
    struct bytes bytes[64];
    FOR_EACH_LANE(lane, port->mask) {
      if (step->kind != PACKET) {
        bytes[lane] = read_bytes(&from);
        continue;
      }
      for (unsigned word = 0; word < step->words; ++word)
        words[word][lane] = read_number(&from);
      words[RPC_ERRNO_WORD][lane] = read_number(&from);
    }
    if (from.failed)
      return false;
    if (step->kind == PACKET)
      send_packet(port, (const uint64_t(*)[64])words, step->words);
    else if (step->kind == STREAM)
      send_streams(port, bytes);
    else
      send_record(port, bytes);
  }
  return true;
}
