//===-- rpc/server/mailbox.h - The shared buffer, seen from the host -*- C++
//-*-===//
// Pointers into the buffer and the one question asked all the time: which ports
// wait for us? A port does when the client's mailbox word differs from ours
// (spec section 2.1). Our own words are kept here as well: what the device may
// have written over them in the buffer never matters.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_MAILBOX_H
#define GPUEXEC_RPC_SERVER_MAILBOX_H

#include "rpc/protocol/protocol.h"
#include "rpc/server/server.h"
#include <atomic>
#include <memory>

namespace gpuexec::rpc {

class Mailbox {
public:
  Mailbox(const Layout &layout, void *buffer);

  uint32_t ports() const { return port_count; }
  /// Ports are looked at in groups of 64.
  uint32_t groups() const { return (port_count + 63) / 64; }

  /// Bit i: port 64 * group + i seems to wait for the server. A hint: look
  /// again with inbox() once the port is locked.
  uint64_t pending(uint32_t group) const;

  /// The client's word. Acquire: the client wrote header and packets before it.
  uint32_t inbox(uint32_t port) const {
    return std::atomic_ref<uint32_t>(from_device[port])
        .load(std::memory_order_acquire);
  }
  uint32_t outbox(uint32_t port) const {
    return std::atomic_ref<uint32_t>(own[port]).load(std::memory_order_relaxed);
  }
  /// Inverts our word: the client owns the port now. Release: what we wrote to
  /// the packets is visible before.
  void hand_over(uint32_t port) {
    uint32_t value = !outbox(port);
    std::atomic_ref<uint32_t>(own[port]).store(value,
                                               std::memory_order_relaxed);
    std::atomic_ref<uint32_t>(to_device[port])
        .store(value, std::memory_order_release);
  }

  /// The device may rewrite both at any time: read each word once.
  rpc_header &header(uint32_t port) const { return headers[port]; }
  rpc_packet *packet(uint32_t port, uint32_t lane) const {
    return packets + size_t(port) * stride + lane;
  }

  /// Wave size of the running kernel: the stride of the packets.
  uint32_t lanes() const { return stride; }
  void set_lanes(uint32_t lanes) { stride = lanes; }

private:
  using Differ = uint64_t (*)(const uint32_t *, const uint32_t *);
  uint32_t port_count;
  uint32_t stride;
  uint32_t *to_device;
  uint32_t *from_device;
  rpc_header *headers;
  rpc_packet *packets;
  std::unique_ptr<uint32_t[]> own; // padded to whole groups
  Differ differ;                   // of 64 words each
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_MAILBOX_H
