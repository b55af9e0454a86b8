//===-- lending/relay/mailbox.h - A mailbox on two machines -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mailbox that the device uses is in memory of the server's machine; the
// host uses a copy in memory of the client's machine. In the server's relay
// DeviceSide watches the device's mailbox, in the client's relay HostSide
// watches the copy. When the device or the host hands a port over, its relay
// sends the port's packets and word; the other relay writes the packets to its
// mailbox, then the word. Only the side whose turn it is changes a port, so a
// relay never overwrites what its own side has written.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_MAILBOX_H
#define GPUEXEC_LENDING_RELAY_MAILBOX_H

#include "lending/relay/frame.h"
#include "lending/relay/memory.h"
#include "rpc/protocol/protocol.h"
#include "rpc/server/layout.h"
#include <array>
#include <memory>
#include <vector>

namespace gpuexec::relay {

/// A mailbox in memory that this process has mapped. Other processes and the
/// device may change its content at any time.
class Mailbox {
public:
  /// Finds the arrays of the mailbox. False when `place` is invalid or not in
  /// `memory`; then nothing changes.
  bool set_up(const wire::MailboxPlace &place, const Memory &memory);
  explicit operator bool() const { return base; }
  /// The mailbox's first address on the device, and its size in bytes.
  DeviceAddress begin() const { return address; }
  uint64_t size() const { return bytes; }

protected:
  /// Which of a port's packets are in use, as its request's header says.
  struct Shape {
    uint64_t mask = 0; ///< lanes that have a packet
    bool soa = false;  ///< the packets are a structure of arrays (RPC_SOA)
  };
  Shape shape_of(const rpc_header &header) const;
  /// How many bytes of a port's packets are sent to the other relay.
  size_t size_of(const Shape &shape) const;
  void put_packets(std::string &to, uint32_t port, const Shape &shape) const;
  /// `from` has size_of() bytes.
  void set_packets(uint32_t port, const Shape &shape, llvm::StringRef from);
  rpc_packet *packets_of(uint32_t port) const {
    return packets + size_t(port) * lanes;
  }
  /// Resets all that a derived class keeps of ports and slots: the mailbox is a
  /// new one.
  virtual void begin_anew() = 0;
  ~Mailbox() = default;

  std::byte *base = nullptr;
  DeviceAddress address;
  uint64_t bytes = 0;
  uint32_t ports = 0, lanes = 0;
  bool has_soa = false; ///< else RPC_SOA in an opcode has no meaning
  uint32_t *to_device = nullptr, *from_device = nullptr;
  rpc_header *headers = nullptr;
  rpc_packet *packets = nullptr;
  rpc_fast_slot *cells = nullptr;
  rpc_output *output = nullptr;

private:
  std::optional<wire::MailboxPlace> known; ///< where the arrays above are
};

/// In the server's relay: sends the device's requests, and writes the host's
/// answers to the mailbox.
class DeviceSide final : public Mailbox {
public:
  /// Sends the requests that the device has made since the last call; true when
  /// there was one.
  bool look(Outbox &out);
  /// Sends what the device has added to its output since the last call; true
  /// when there was something.
  bool look_at_output(Outbox &out);
  // Each writes what a frame says to the mailbox; false: the frame is invalid.
  bool take_port(llvm::StringRef body);
  bool take_fast(llvm::StringRef body);
  bool take_output_used(llvm::StringRef body);

private:
  void begin_anew() override;
  bool look_at_port(uint32_t port, Outbox &out);
  bool look_at_fast(uint32_t slot, Outbox &out);
  std::vector<uint32_t> seen; ///< the last word of the device for each port
  std::vector<Shape> shapes;
  std::array<uint32_t, RPC_FAST_SLOTS> tags{}; ///< of each slot's last request
  uint64_t used = 0;                           ///< last value sent or received
  std::unique_ptr<uint8_t[]> text;             ///< output that was sent
};

/// In the client's relay: writes the device's requests to the mailbox, and
/// sends the host's answers.
class HostSide final : public Mailbox {
public:
  /// Sends the answers that the host has given since the last call; true when
  /// there was one.
  bool look(Outbox &out);
  /// True while there is a request that the host has not answered.
  bool is_waiting() const { return !waiting.empty() || waiting_fast; }
  // Each writes what a frame says to the mailbox; false: the frame is invalid.
  bool take_port(llvm::StringRef body);
  bool take_fast(llvm::StringRef body);
  bool take_output(llvm::StringRef body);

private:
  void begin_anew() override;
  bool answer_port(uint32_t port, Outbox &out);
  bool answer_fast(uint32_t slot, Outbox &out);
  void tell_of_output(Outbox &out);
  std::vector<uint32_t> sent; ///< the last word of the host for each port
  std::vector<Shape> shapes;
  std::vector<uint32_t> waiting; ///< ports that the host is to answer
  uint32_t waiting_fast = 0;     ///< a bit for each slot to be answered
  std::array<uint32_t, RPC_FAST_SLOTS> tags{};
  uint64_t used = 0; ///< last value of output->used sent or received
};

} // namespace gpuexec::relay

#endif
