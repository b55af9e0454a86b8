//===-- rpc/protocol/client.h - The device's side of the mailbox ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a whole wave to the host: open a port, send and receive packets in
// the order the opcode says (opcodes.def), close. Spec section 2; compatible on
// the wire with LLVM 20..22. C11 (-std=gnu11, because clang's <gpuintrin.h>
// uses asm) for AMDGPU and NVPTX.
//
// Every function is called by all lanes of the port's mask together. The mask
// consists of the lanes that called rpc_open() together with the same opcode,
// and stays the same until rpc_close(). NVIDIA's lanes may drift apart at any
// branch; therefore an index or a mailbox word is always the first lane's, all
// lanes meet before a packet is handed over, and one lane stores.
//
//     rpc_port port = rpc_open(RPC_TEST_INCREMENT);
//     rpc_packet *packet = rpc_send_begin(&port);
//     packet->words[0] = value;              // this lane's slot only
//     rpc_send_end(&port);
//     value = rpc_recv(&port)->words[0];     // valid until the next call
//     rpc_close(&port);
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_CLIENT_H
#define GPUEXEC_RPC_CLIENT_H

#include "client_device.h"
#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Defined once in the program (the C library does) with protected visibility
/// and zeroed; the loader fills it in.
extern __attribute__((visibility("protected"))) rpc_client22 __llvm_rpc_client;

/// gpuexec's extensions (protocol.h); defined and filled in likewise.
extern __attribute__((visibility("protected")))
rpc_extensions __gpuexec_rpc_extensions;

/// Notes of the device's waves about the ports, one word (RPC_NOTE_*) per port.
/// The mailbox words are on the other side of the bus: a wave that closes a
/// port notes their values here, so that the next wave need not load them.
/// Defined once and zeroed, as the two objects above; no loader uses it.
#define RPC_NOTED_PORTS 4096u
extern __attribute__((visibility("protected")))
uint32_t __gpuexec_rpc_ports[RPC_NOTED_PORTS];

/// Notes about the fast slots: the tag of the slot's last request, or
/// RPC_FAST_TAKEN while a wave uses the slot.
#define RPC_FAST_TAKEN 0xFFFFFFFFu
extern __attribute__((visibility("protected")))
uint32_t __gpuexec_rpc_fast_slots[RPC_FAST_SLOTS];

enum {
  RPC_NOTE_OUT = 1,       ///< the outbox's value; unknown if the note is 0
  RPC_NOTE_FREE = 2,      ///< the inbox equals the outbox: the port is free
  RPC_NOTE_ASK = 4,       ///< the inbox must be loaded
  RPC_NOTE_TAKEN = 1 << 8 ///< a wave uses the port
};

/// An open port, one copy per lane. All but `packet` is uniform over the mask.
typedef struct rpc_port {
  uint64_t mask;      ///< lanes that take part
  uint32_t *inbox;    ///< the server writes it, the client reads it
  uint32_t *outbox;   ///< the client writes it, the server reads it
  rpc_packet *packet; ///< this lane's
  uint32_t index;
  uint32_t caller; ///< RPC_CALLER() with RPC_FEATURE_CALLERS, else 0
  uint32_t out;    ///< the outbox's value
  bool owns;       ///< the client owns the packets
  bool received;   ///< the last operation was a receive
} rpc_port;

RPC_INLINE uint32_t rpc_load_mailbox(const rpc_port *port,
                                     const uint32_t *word) {
  uint32_t value =
      __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
  return __gpu_read_first_lane_u32(port->mask, value);
}

/// Whether the loader that started the program offers `feature`
/// (RPC_FEATURE_*). A loader other than gpuexec's leaves all bits zero.
RPC_INLINE bool rpc_has_feature(uint32_t feature) {
  return RPC_FILLED_IN(__gpuexec_rpc_extensions).features & feature;
}

/// Returns the index of the first port that this wave tries. `own`: the number
/// of ports, from there on, that belong to the wave, 1 or 2; waves share ports
/// only if there are fewer ports than waves. `lines`:
/// rpc_extensions::port_lines. `number`: this wave's number in the grid.
RPC_INLINE uint32_t rpc_first_index(uint64_t mask, uint32_t port_count,
                                    uint32_t lines, uint32_t *own,
                                    uint32_t *number) {
  const rpc_wave place = rpc_this_wave();
  const uint32_t wave = __gpu_read_first_lane_u32(mask, place.number);
  *number = wave;
  *own = port_count >= 2 * place.count ? 2 : 1;
  if (*own == 1 || !lines)
    return wave * *own % port_count;
  // Waves that poll the same cache line of the host's memory delay each other.
  uint32_t shift = (uint32_t)__builtin_ctz(lines),
           in_line = port_count >> shift;
  return (wave & (lines - 1)) * in_line +
         ((wave >> shift) * *own & (in_line - 1));
}

/// Opens a port for `opcode`; waits until one is free. The caller closes it
/// with rpc_close().
RPC_INLINE rpc_port rpc_open(uint32_t opcode) {
#define RPC_CLIENT RPC_FILLED_IN(__llvm_rpc_client)
  uint32_t count = RPC_CLIENT.port_count;
  if (count > RPC_NOTED_PORTS)
    count = RPC_NOTED_PORTS;
  rpc_port port;
  port.mask = rpc_lanes_of(opcode);
  port.owns = true;
  port.received = false;
  bool leader = __gpu_is_first_in_lane(port.mask);

  uint32_t own, wave;
  const uint32_t first = rpc_first_index(
      port.mask, count, RPC_FILLED_IN(__gpuexec_rpc_extensions).port_lines,
      &own, &wave);
  port.caller = rpc_has_feature(RPC_FEATURE_CALLERS) ? RPC_CALLER(wave) : 0;
  uint32_t index = first, tries = 0, rounds = 0;
  for (;;) {
    uint32_t *note = &__gpuexec_rpc_ports[index];
    // One lane takes the port for all.
    uint32_t noted = RPC_NOTE_TAKEN;
    // Acquire: what the port's last user wrote before it gave it up.
    if (leader)
      noted = rpc_exchange_acquire(note, RPC_NOTE_TAKEN);
    noted = __gpu_read_first_lane_u32(port.mask, noted);
    if (noted != RPC_NOTE_TAKEN) {
      __gpu_sync_lane(port.mask);
      port.inbox = (uint32_t *)RPC_CLIENT.inbox + index;
      port.outbox = (uint32_t *)RPC_CLIENT.outbox + index;
      port.out = noted & RPC_NOTE_OUT;
      if (noted & RPC_NOTE_FREE)
        break;
      if (!noted)
        port.out = rpc_load_mailbox(&port, port.outbox);
      if (rpc_load_mailbox(&port, port.inbox) == port.out)
        break;
      // The server has yet to finish with the port's last user.
      if (leader)
        __scoped_atomic_store_n(note, RPC_NOTE_ASK | port.out, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
      __gpu_sync_lane(port.mask);
    }
    index = index + 1 == count ? 0 : index + 1;
    // While the server has all ports of a wave, the wave waits: in the ports of
    // other waves it would delay those. A wave that waits long tries more
    // ports, twice as many after every 8 rounds.
    if (++tries >= own << rounds / 8) {
      tries = 0;
      index = first;
      if (own << rounds / 8 < count)
        ++rounds;
      __gpu_thread_suspend();
    }
  }

  port.index = index;
  port.packet = (rpc_packet *)RPC_CLIENT.packets +
                (uint64_t)index * __gpu_num_lanes() + __gpu_lane_id();
  if (leader) {
    rpc_header *header = (rpc_header *)RPC_CLIENT.headers + index;
    header->lane_mask = port.mask;
    header->opcode = opcode;
    header->soa_words = port.caller;
  }
  __gpu_sync_lane(port.mask);
  return port;
}

/// Waits until the server has handed the packets back.
RPC_INLINE void rpc_wait(rpc_port *port) {
  while (rpc_load_mailbox(port, port->inbox) != port->out)
    __gpu_thread_suspend();
  // Acquire: the server's packets were written before it flipped our inbox.
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
}

RPC_INLINE void rpc_hand_over(rpc_port *port) {
  __gpu_sync_lane(port->mask);
  port->out = !port->out;
  // Release: every lane's packet, and on the first send the header.
  if (__gpu_is_first_in_lane(port->mask))
    rpc_tell_host(port->outbox, port->out);
  __gpu_sync_lane(port->mask);
}

/// Returns this lane's packet for the caller to fill; then call rpc_send_end().
/// Words that the caller does not write keep their old values.
RPC_INLINE rpc_packet *rpc_send_begin(rpc_port *port) {
  if (!port->owns)
    rpc_wait(port);
  return port->packet;
}

/// Hands every lane's packet to the server.
RPC_INLINE void rpc_send_end(rpc_port *port) {
  rpc_hand_over(port);
  port->owns = false;
  port->received = false;
}

/// Returns the server's next packet; it stays readable until the next call on
/// the port.
RPC_INLINE const rpc_packet *rpc_recv(rpc_port *port) {
  if (port->received) { // two receives in a row: acknowledge the first
    rpc_hand_over(port);
    port->owns = false;
  }
  if (!port->owns)
    rpc_wait(port);
  port->received = true;
  port->owns = true;
  return port->packet;
}

/// Closes the port: other waves may use it. The server still serves what was
/// sent last.
RPC_INLINE void rpc_close(rpc_port *port) {
  __gpu_sync_lane(port->mask);
  // Release: our use of the port is over before another wave may take it.
  if (__gpu_is_first_in_lane(port->mask))
    rpc_store_release(&__gpuexec_rpc_ports[port->index],
                      (port->owns ? RPC_NOTE_FREE : RPC_NOTE_ASK) | port->out);
  __gpu_sync_lane(port->mask);
}

// Copies a whole packet by a memcpy() of constant size, which the compiler
// turns into wide accesses, all loads before the first store; copies the tail
// of a stream byte by byte. NVPTX has no wide accesses to unaligned data: there
// they are copied byte by byte, too.
RPC_INLINE void rpc_copy(void *to, const void *from, uint64_t size,
                         uint64_t whole) {
  unsigned char *out = (unsigned char *)to;
  const unsigned char *in = (const unsigned char *)from;
#ifdef __NVPTX__
  const bool is_wide = !(((uintptr_t)to | (uintptr_t)from) % 8);
#define RPC_WIDE(address) __builtin_assume_aligned(address, 8)
#else
  const bool is_wide = true;
#define RPC_WIDE(address) (address)
#endif
  if (is_wide && size == whole && whole == RPC_PACKET_BYTES)
    __builtin_memcpy(RPC_WIDE(to), RPC_WIDE(from), RPC_PACKET_BYTES);
  else if (is_wide && size == whole && whole == RPC_FIRST_STREAM_BYTES)
    __builtin_memcpy(RPC_WIDE(to), RPC_WIDE(from), RPC_FIRST_STREAM_BYTES);
  else
    for (uint64_t i = 0; i < size; ++i)
      out[i] = in[i];
#undef RPC_WIDE
}

RPC_INLINE uint64_t rpc_min(uint64_t a, uint64_t b) { return a < b ? a : b; }

/// Sends a stream: each lane sends `size` bytes at `data`. Sizes may differ
/// between lanes and may be 0.
RPC_INLINE void rpc_send_n(rpc_port *port, const void *data, uint64_t size) {
  const unsigned char *from = (const unsigned char *)data;
  rpc_packet *packet = rpc_send_begin(port);
  packet->words[0] = size;
  rpc_copy(packet->bytes + 8, from, rpc_min(size, RPC_FIRST_STREAM_BYTES),
           RPC_FIRST_STREAM_BYTES);
  rpc_send_end(port);
  for (uint64_t at = RPC_FIRST_STREAM_BYTES;
       __gpu_ballot(port->mask, at < size); at += RPC_PACKET_BYTES) {
    packet = rpc_send_begin(port);
    if (at < size)
      rpc_copy(packet->bytes, from + at, rpc_min(size - at, RPC_PACKET_BYTES),
               RPC_PACKET_BYTES);
    rpc_send_end(port);
  }
}

/// Receives a stream of `size` bytes per lane, whose first packet, `packet`,
/// has been received. Bytes beyond `capacity` are received and dropped.
RPC_INLINE void rpc_recv_rest(rpc_port *port, const rpc_packet *packet,
                              void *buffer, uint64_t capacity, uint64_t size) {
  unsigned char *to = (unsigned char *)buffer;
  uint64_t keep = rpc_min(size, capacity);
  rpc_copy(to, packet->bytes + 8, rpc_min(keep, RPC_FIRST_STREAM_BYTES),
           RPC_FIRST_STREAM_BYTES);
  for (uint64_t at = RPC_FIRST_STREAM_BYTES;
       __gpu_ballot(port->mask, at < size); at += RPC_PACKET_BYTES) {
    packet = rpc_recv(port);
    if (at < keep)
      rpc_copy(to + at, packet->bytes, rpc_min(keep - at, RPC_PACKET_BYTES),
               RPC_PACKET_BYTES);
  }
}

/// Receives a stream into at most `capacity` bytes of `buffer` and returns the
/// size that was sent, which may be more. All packets are consumed in any case.
RPC_INLINE uint64_t rpc_recv_n(rpc_port *port, void *buffer,
                               uint64_t capacity) {
  const rpc_packet *packet = rpc_recv(port);
  uint64_t size = packet->words[0];
  rpc_recv_rest(port, packet, buffer, capacity, size);
  return size;
}

/// Receives a stream into memory from `allocate`, which each lane calls with
/// its size, 0 included. If it returns null, that lane's bytes are dropped. The
/// caller frees the memory.
RPC_INLINE void *rpc_recv_n_allocate(rpc_port *port, uint64_t *size,
                                     void *(*allocate)(size_t)) {
  const rpc_packet *packet = rpc_recv(port);
  *size = packet->words[0];
  void *buffer = allocate((size_t)*size);
  rpc_recv_rest(port, packet, buffer, buffer ? *size : 0, *size);
  return buffer;
}

#ifdef __cplusplus
}
#endif

#include "client_call.h"

#endif // GPUEXEC_RPC_CLIENT_H
