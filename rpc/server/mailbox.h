//===-- rpc/server/mailbox.h - The mailbox seen by the host -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers into the buffer, and which ports wait for the server: those whose
// client word differs from the server's word (spec section 2.1). Copies of the
// server's words are kept here, because the device may overwrite the words in
// the buffer.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_MAILBOX_H
#define GPUEXEC_RPC_SERVER_MAILBOX_H

#include "rpc/protocol/protocol.h"
#include "rpc/server/layout.h"
#include <atomic>
#include <memory>

namespace gpuexec::rpc {

class Mailbox {
public:
  Mailbox(const Layout &layout, void *buffer);

  /// The number of port numbers: the ports of the shared buffer come first;
  /// from the next multiple of 64 on there is one port for each fast slot,
  /// whose header and packet are in the server's own memory.
  uint32_t ports() const { return fast_base + RPC_FAST_SLOTS; }
  /// Ports are looked at in groups of 64.
  uint32_t groups() const { return (ports() + 63) / 64; }
  bool is_fast_slot(uint32_t port) const { return port >= fast_base; }

  /// Bit i: port 64 * group + i seems to wait for the server. Only a hint:
  /// check with arrived() after locking the port.
  uint64_t pending(uint32_t group) const {
    return group * 64 < fast_base ? pending_ports(group) : pending_fast();
  }
  /// Whether the port waits for the server. The caller holds the port's lock:
  /// for a fast slot this copies the request from the shared buffer.
  bool arrived(uint32_t port) {
    if (port >= fast_base)
      take(port - fast_base);
    return inbox(port) != outbox(port);
  }

  /// The client's word. Acquire: the client wrote header and packets before it.
  uint32_t inbox(uint32_t port) const {
    if (port >= port_count)
      return port >= fast_base ? fast_slots[port - fast_base].inbox.load(
                                     std::memory_order_relaxed)
                               : outbox(port); // no such port: never pending
    return std::atomic_ref<uint32_t>(from_device[port])
        .load(std::memory_order_acquire);
  }
  uint32_t outbox(uint32_t port) const {
    return std::atomic_ref<uint32_t>(own[port]).load(std::memory_order_relaxed);
  }
  /// Inverts the server's word: the client owns the port now. Release: the
  /// client sees all that the server wrote to the packets before.
  void hand_over(uint32_t port) {
    if (port >= fast_base)
      answer(port - fast_base);
    uint32_t value = !outbox(port);
    std::atomic_ref<uint32_t>(own[port]).store(value,
                                               std::memory_order_relaxed);
    if (port < port_count)
      std::atomic_ref<uint32_t>(to_device[port])
          .store(value, std::memory_order_release);
  }

  /// The device may rewrite both at any time: read each word once.
  rpc_header &header(uint32_t port) const {
    return port < port_count ? headers[port] : fast_slots[slot_of(port)].header;
  }
  /// The opcode in a header, in LLVM 20's numbers, with the flag RPC_SOA if the
  /// client set it. Reads the word once.
  uint32_t opcode(uint32_t port) const {
    uint32_t word =
        std::atomic_ref(header(port).opcode).load(std::memory_order_relaxed);
    return short_opcodes ? rpc_opcode_of_19(word) : word;
  }
  /// The calling lanes of the port's wave. The mask of a fast slot is always
  /// lane 0; its request may name the lane that calls.
  uint64_t calling_lanes(uint32_t port, uint64_t mask) const {
    return is_fast_slot(port) ? uint64_t(1) << fast_slots[slot_of(port)].lane
                              : mask;
  }
  rpc_packet *packet(uint32_t port, uint32_t lane) const {
    return port < port_count ? packets + size_t(port) * lanes() + lane
                             : fast_slots[slot_of(port)].packets;
  }
  /// Bytes of a lane's packet in a request. A long request is one packet.
  unsigned request_bytes(uint32_t port) const {
    return port < port_count || !fast_slots[slot_of(port)].is_long
               ? RPC_PACKET_BYTES
               : sizeof fast_slots[0].packets;
  }

  /// For ports 64 * group + `bits` with RPC_SOA: prefetches the words of the
  /// request and the errno array of the answer.
  void prefetch_soa(uint32_t group, uint64_t bits) const;

  /// Wave size of the running kernel: the stride of the packets.
  uint32_t lanes() const { return stride.load(std::memory_order_relaxed); }
  /// Between kernels. No fence: the next kernel's first request comes after its
  /// launch, which orders this store.
  void set_lanes(uint32_t lanes) {
    stride.store(lanes, std::memory_order_relaxed);
  }

private:
  using Differ = uint64_t (*)(const uint32_t *, const uint32_t *);
  /// The server's state of a fast slot. The port's lock protects all but the
  /// tag.
  struct FastSlot {
    std::atomic<uint32_t> tag = 0; // of the last request
    std::atomic<uint32_t> inbox = 0;
    rpc_header header = {};
    // The first is that of the answer; a long request is in all of them.
    rpc_packet packets[1 + RPC_LONG_BYTES / RPC_PACKET_BYTES] = {};
    uint32_t lane = 0; // of its wave, if the client says so
    bool is_long = false;
  };
  uint32_t slot_of(uint32_t port) const {
    return port < fast_base ? 0 : port - fast_base;
  }
  uint64_t pending_ports(uint32_t group) const;
  uint64_t pending_fast() const;
  bool take_words(uint32_t slot, uint32_t tag);
  bool take_stream(uint32_t slot, uint32_t tag, uint32_t size);
  void take(uint32_t slot);
  void answer(uint32_t slot);

  uint32_t port_count;
  bool short_opcodes;
  std::atomic<uint32_t> stride;
  uint32_t fast_base;
  uint32_t *to_device;
  uint32_t *from_device;
  rpc_header *headers;
  rpc_packet *packets;
  rpc_fast_slot *cells;
  rpc_long_request *long_requests;
  std::unique_ptr<uint32_t[]> own; // padded to whole groups
  std::unique_ptr<FastSlot[]> fast_slots;
  Differ differ; // of 64 words each
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_MAILBOX_H
