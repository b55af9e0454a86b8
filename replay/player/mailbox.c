//===-- replay/player/mailbox.c - The mailbox seen by the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/mailbox.h"
#include "replay/player/process.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  uint32_t first, client_size, most_ports, doorbell_size, opcode_bits;
} versions[] = {
#define RPC_VERSION(FIRST, LAST, SIZE, PORTS, DOORBELL, LOCKS, BITS,           \
                    FORMATTER)                                                 \
  {FIRST, SIZE, PORTS, DOORBELL, BITS},
#include "rpc/protocol/versions.def"
};

bool lay_out(struct mailbox *m, uint64_t client_size, bool version_19,
             uint32_t ports, uint32_t lanes) {
  for (unsigned i = 0; i < sizeof versions / sizeof *versions; ++i) {
    const bool suits =
        version_19
            ? versions[i].first == 19 && client_size == sizeof(uint64_t)
            : versions[i].first != 19 && client_size == versions[i].client_size;
    if (!suits)
      continue;
    m->port_count =
        ports < versions[i].most_ports ? ports : versions[i].most_ports;
    m->lanes = m->most_lanes = lanes;
    m->doorbell_size = versions[i].doorbell_size;
    m->client_size = versions[i].client_size;
    m->short_opcodes = versions[i].opcode_bits == 16;
    m->ports = allocate(m->port_count, sizeof *m->ports);
    for (uint32_t port = 0; port < m->port_count; ++port) {
      m->ports[port].mailbox = m;
      m->ports[port].index = port;
    }
    return true;
  }
  return false;
}

//===-- Where its parts lie: both words of each port, headers, packets ----===//

static uint64_t outbox_offset(const struct mailbox *m) {
  return m->doorbell_size + sizeof(uint32_t) * m->port_count;
}
static uint64_t headers_offset(const struct mailbox *m) {
  const uint64_t end = m->doorbell_size + 2 * sizeof(uint32_t) * m->port_count;
  return (end + 7) & ~(uint64_t)7;
}
static uint64_t packets_offset(const struct mailbox *m) {
  return headers_offset(m) + sizeof(rpc_header) * m->port_count;
}
static uint64_t output_offset(const struct mailbox *m) {
  const uint64_t end =
      packets_offset(m) + sizeof(rpc_packet) * m->port_count * m->most_lanes;
  return (end + 63) & ~(uint64_t)63;
}
uint64_t mailbox_size(const struct mailbox *m) {
  return output_offset(m) + sizeof(rpc_output);
}
struct rpc_output *mailbox_output(const struct mailbox *m) {
  return (rpc_output *)(m->host + output_offset(m));
}
uint8_t *mailbox_view(const struct mailbox *m, uint64_t address,
                      uint64_t size) {
  const uint64_t offset = address - m->address;
  return address >= m->address && in_range(offset, size, mailbox_size(m))
             ? m->host + offset
             : NULL;
}

struct buffer client_object(const struct mailbox *m) {
  struct buffer bytes = {0};
  if (m->client_size == sizeof(rpc_client23)) {
    const rpc_client23 client = {m->port_count,
                                 0,
                                 m->address,
                                 m->address + m->doorbell_size,
                                 m->address + outbox_offset(m),
                                 m->address + headers_offset(m),
                                 m->address + packets_offset(m),
                                 {0}};
    append(&bytes, &client, sizeof client);
  } else {
    const rpc_client22 client = {m->port_count,
                                 0,
                                 m->address + m->doorbell_size,
                                 m->address + outbox_offset(m),
                                 m->address + headers_offset(m),
                                 m->address + packets_offset(m),
                                 {0}};
    append(&bytes, &client, sizeof client);
  }
  return bytes;
}

rpc_extensions extensions_object(const struct mailbox *m,
                                 uint64_t bulk_threshold, bool with_callers) {
  return (rpc_extensions){
      .version = 1,
      .features = RPC_FEATURE_ERRNO | RPC_FEATURE_BULK | RPC_FEATURE_POSIX |
                  RPC_FEATURE_SYSTEM_CALLS | RPC_FEATURE_STRINGS |
                  RPC_FEATURE_PRINTF | (with_callers ? RPC_FEATURE_CALLERS : 0),
      .bulk_threshold = bulk_threshold,
      .output = m->address + output_offset(m),
  };
}

//===-- Words -------------------------------------------------------------===//

static uint32_t client_word(const struct port *port) {
  const uint32_t *words =
      (const uint32_t *)(port->mailbox->host + outbox_offset(port->mailbox));
  // Acquire: see header and packets, which the client wrote before this word.
  return __atomic_load_n(words + port->index, __ATOMIC_ACQUIRE);
}

bool is_pending(const struct port *port) {
  return client_word(port) != port->own;
}

void port_error(const struct port *port, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fail(STATUS_FAILED, "%s: RPC port %u: %s", port->mailbox->program,
       port->index, text);
}

bool begin_send(struct port *port) {
  if (!port->owns) {
    const uint32_t word = client_word(port);
    if (word > 1)
      port_error(port, "mailbox word 0x%x, expected 0 or 1", word);
    port->owns = word != port->own;
  }
  return port->owns;
}

void hand_over(struct port *port) {
  uint32_t *words =
      (uint32_t *)(port->mailbox->host + port->mailbox->doorbell_size);
  port->own = !port->own;
  port->owns = port->received = false;
  // Release: the client sees the packets before this word.
  __atomic_store_n(words + port->index, port->own, __ATOMIC_RELEASE);
}

bool receive(struct port *port) {
  if (port->received)
    hand_over(port);
  return port->received = begin_send(port);
}

bool open_port(struct port *port, uint32_t *opcode, uint32_t *caller) {
  const struct mailbox *m = port->mailbox;
  rpc_header *header =
      (rpc_header *)(m->host + headers_offset(m)) + port->index;
  const uint32_t word = __atomic_load_n(&header->opcode, __ATOMIC_RELAXED);
  const uint64_t all =
      m->lanes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << m->lanes) - 1;
  port->owns = port->received = false;
  if (!begin_send(port))
    return false;
  port->mask = __atomic_load_n(&header->lane_mask, __ATOMIC_RELAXED);
  *caller = __atomic_load_n(&header->soa_words, __ATOMIC_RELAXED) >> 2;
  *opcode = m->short_opcodes ? rpc_opcode_of_19(word) : word;
  if (!port->mask || port->mask & ~all)
    port_error(port, "lane mask 0x%llx, expected lanes below %u",
               (unsigned long long)port->mask, m->lanes);
  return true;
}

//===-- Packets -----------------------------------------------------------===//

rpc_packet *packet_of(const struct port *port, uint64_t lane) {
  const struct mailbox *m = port->mailbox;
  return (rpc_packet *)(m->host + packets_offset(m)) +
         (uint64_t)port->index * m->lanes + lane;
}

uint64_t read_word(const struct port *port, uint64_t lane, unsigned word) {
  return __atomic_load_n(&packet_of(port, lane)->words[word], __ATOMIC_RELAXED);
}

bool receive_streams(struct port *port, struct transfer *t,
                     struct buffer streams[64]) {
  do {
    if (!receive(port))
      return false;
    const unsigned offset =
        t->at ? 0 : RPC_PACKET_BYTES - RPC_FIRST_STREAM_BYTES;
    if (!t->at)
      t->longest = t->total = 0;
    FOR_EACH_LANE(lane, port->mask) {
      uint64_t *size = &t->sizes[lane];
      if (!t->at) {
        *size = read_word(port, lane, 0);
        streams[lane].size = 0;
        if (*size > t->longest)
          t->longest = *size;
        t->total += *size < MOST_STREAM_BYTES ? *size : MOST_STREAM_BYTES;
        if (t->total > MOST_REQUEST_BYTES)
          port_error(port, "a request of more than %llu bytes",
                     (unsigned long long)MOST_REQUEST_BYTES);
      }
      const uint64_t most =
          *size < MOST_STREAM_BYTES ? *size : MOST_STREAM_BYTES;
      if (t->at >= most)
        continue;
      const uint64_t left = most - t->at, room = RPC_PACKET_BYTES - offset;
      append(&streams[lane], packet_of(port, lane)->bytes + offset,
             left < room ? left : room);
    }
    t->at += RPC_PACKET_BYTES - offset;
  } while (t->at < t->longest);
  t->at = 0;
  return true;
}

bool fill_streams(struct port *port, const struct bytes streams[64],
                  uint64_t *at) {
  const unsigned offset = *at ? 0 : RPC_PACKET_BYTES - RPC_FIRST_STREAM_BYTES,
                 room = RPC_PACKET_BYTES - offset;
  bool more = false;
  FOR_EACH_LANE(lane, port->mask) {
    rpc_packet *packet = packet_of(port, lane);
    if (!*at)
      packet->words[0] = streams[lane].size;
    if (*at >= streams[lane].size)
      continue;
    const uint64_t left = streams[lane].size - *at;
    memcpy(packet->bytes + offset, streams[lane].data + *at,
           left < room ? left : room);
    more |= left > room;
  }
  *at += room;
  return more;
}
