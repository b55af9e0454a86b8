//===-- lending/relay/mailbox.h - A mailbox on two machines -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's mailbox is in memory of the server's machine, a copy in memory
// of the client's. DeviceSide watches the one and HostSide the other: what one
// side hands over is sent, and written to the other mailbox before its word is.
// Only the side whose turn it is changes a port, so neither overwrites the
// other.
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

/// The arrays of a mailbox in memory of this process, whose content anybody may
/// change at any time.
class Mailbox {
public:
  /// False when the place makes no sense or is not in the memory.
  bool set_up(const wire::MailboxPlace &place, const Memory &memory);
  explicit operator bool() const { return base; }
  /// The addresses that it has on the device.
  DeviceAddress begin() const { return address; }
  uint64_t size() const { return bytes; }

protected:
  /// What a port's packets are made of, by the header of its request.
  struct Shape {
    uint64_t mask = 0;
    bool soa = false;
  };
  Shape shape_of(const rpc_header &header) const;
  /// Bytes of a port's packets that go over.
  size_t size_of(const Shape &shape) const;
  void put_packets(std::string &to, uint32_t port, const Shape &shape) const;
  /// `from` has size_of() bytes.
  void set_packets(uint32_t port, const Shape &shape, llvm::StringRef from);
  rpc_packet *packets_of(uint32_t port) const {
    return packets + size_t(port) * lanes;
  }
  /// Everything that a derived class keeps for each port begins anew.
  virtual void begin_anew() = 0;
  ~Mailbox() = default;

  std::byte *base = nullptr;
  DeviceAddress address;
  uint64_t bytes = 0;
  uint32_t ports = 0, lanes = 0;
  bool has_soa = false; ///< else that bit of the opcode is rubbish
  uint32_t *to_device = nullptr, *from_device = nullptr;
  rpc_header *headers = nullptr;
  rpc_packet *packets = nullptr;
  rpc_fast_slot *cells = nullptr;
  rpc_output *output = nullptr;

private:
  std::optional<wire::MailboxPlace> known;
};

class DeviceSide final : public Mailbox {
public:
  /// Sends what the device has handed over since the last time; true when there
  /// was something.
  bool look(Outbox &out);
  /// Sends what the device has added to its output.
  bool look_at_output(Outbox &out);
  // False: nonsense.
  bool take_port(llvm::StringRef body);
  bool take_fast(llvm::StringRef body);
  bool take_output_used(llvm::StringRef body);

private:
  void begin_anew() override;
  bool look_at_port(uint32_t port, Outbox &out);
  bool look_at_fast(uint32_t slot, Outbox &out);
  std::vector<uint32_t> seen; ///< words of the device
  std::vector<Shape> shapes;
  std::array<uint32_t, RPC_FAST_SLOTS> tags{}; ///< seen, too
  uint64_t used = 0;                           ///< as the other side has it
  std::unique_ptr<uint8_t[]> text;             ///< likewise
};

class HostSide final : public Mailbox {
public:
  /// Sends what the host has handed over since the last time.
  bool look(Outbox &out);
  /// The host has a request that it has not answered.
  bool is_waiting() const { return !waiting.empty() || waiting_fast; }
  // False: nonsense.
  bool take_port(llvm::StringRef body);
  bool take_fast(llvm::StringRef body);
  bool take_output(llvm::StringRef body);

private:
  void begin_anew() override;
  bool answer_port(uint32_t port, Outbox &out);
  bool answer_fast(uint32_t slot, Outbox &out);
  void tell_of_output(Outbox &out);
  std::vector<uint32_t> sent; ///< words of the host
  std::vector<Shape> shapes;
  std::vector<uint32_t> waiting; ///< ports that the host is to answer
  uint32_t waiting_fast = 0;     ///< a bit for each slot, likewise
  std::array<uint32_t, RPC_FAST_SLOTS> tags{};
  uint64_t used = 0; ///< as the other side has it
};

} // namespace gpuexec::relay

#endif
