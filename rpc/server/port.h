//===-- rpc/server/port.h - One slot of the mailbox -------------*- C++ -*-===//
// A whole wave uses a port at once. A Port is what the server knows about one
// slot, and what a service sends and receives with, in the order the opcode
// says (spec sections 2.4 to 2.7). One thread at a time touches it: the one
// that holds its bit in Engine. Nothing here waits; `co_await` gives the thread
// away until the client has flipped its word.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_PORT_H
#define GPUEXEC_RPC_SERVER_PORT_H

#include "rpc/server/bytes.h"
#include "rpc/server/mailbox.h"
#include "rpc/server/task.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"
#include <chrono>

namespace gpuexec::rpc {

class Engine;
class Port;
struct Runner;
struct Operation;

/// What a suspended service waits for: a packet, or several.
class PacketWait {
public:
  /// Goes as far as the packets that are there allow. True when done.
  virtual bool advance() = 0;

  bool await_ready() { return advance(); }
  void await_suspend(std::coroutine_handle<> handle);

protected:
  explicit PacketWait(Port &port) : port(port) {}
  ~PacketWait() = default;
  Port &port;

private:
  friend class Engine;
  std::coroutine_handle<> waiter;
};

class Receive final : public PacketWait {
public:
  explicit Receive(Port &port) : PacketWait(port) {}
  bool advance() override;
  void await_resume() {}

private:
  bool begun = false;
};

template <typename Fill> class Send final : public PacketWait {
public:
  Send(Port &port, Fill fill) : PacketWait(port), fill(std::move(fill)) {}
  bool advance() override;
  void await_resume() {}

private:
  Fill fill;
};

class ReceiveBytes final : public PacketWait {
public:
  explicit ReceiveBytes(Port &port, uint64_t limit);
  bool advance() override;
  LaneBytes await_resume() { return std::move(bytes); }

  /// `co_await stream.sizes()` before `co_await stream`: no more than the first
  /// packet, which says how much there is of all lanes together.
  class Sizes final : public PacketWait {
  public:
    explicit Sizes(ReceiveBytes &stream)
        : PacketWait(stream.port), stream(stream) {}
    bool advance() override { return stream.sized || stream.one_packet(); }
    uint64_t await_resume() { return stream.total; }

  private:
    ReceiveBytes &stream;
  };
  Sizes sizes() { return Sizes(*this); }

private:
  void first_packet();
  void next_packet();
  /// False when the packet is not there yet.
  bool one_packet();
  LaneBytes bytes;
  uint64_t limit, longest = 0, at = 0, total = 0;
  bool begun = false, sized = false;
};

class SendBytes final : public PacketWait {
public:
  SendBytes(Port &port, llvm::ArrayRef<llvm::StringRef> data)
      : PacketWait(port), data(data) {}
  bool advance() override;
  void await_resume() {}

private:
  llvm::ArrayRef<llvm::StringRef> data; // indexed by lane
  uint64_t longest = 0, at = 0;
  bool sized = false;
};

class Port {
public:
  Port() = default;
  Port(const Port &) = delete;

  // For services.
  uint32_t opcode() const { return code.load(std::memory_order_relaxed); }
  uint32_t index() const { return slot; }
  uint64_t mask() const { return lane_mask.load(std::memory_order_relaxed); }
  unsigned lane_count() const { return unsigned(llvm::popcount(mask())); }
  template <typename F> void for_each_lane(F f) const {
    for (uint64_t left = mask(); left; left &= left - 1)
      f(unsigned(llvm::countr_zero(left)));
  }

  /// `co_await port.receive();` then word() and read() until the next
  /// operation.
  Receive receive() { return Receive(*this); }
  /// One word of a lane's packet, read once: the device may still change it.
  uint64_t word(unsigned lane, unsigned index) const {
    return *static_cast<volatile uint64_t *>(
        columns ? column(index) + lane : packet(lane).words + index);
  }
  /// Copies the packet's bytes from `offset` on.
  void read(unsigned lane, void *to, unsigned offset, unsigned size) const {
    std::memcpy(to, packet(lane).bytes + offset, size);
  }
  /// `co_await port.send([&](unsigned lane, rpc_packet &packet) {...});`
  template <typename Fill> Send<Fill> send(Fill fill) {
    return Send<Fill>(*this, std::move(fill));
  }
  /// A stream from every lane; beyond `limit` bytes of a lane are dropped.
  ReceiveBytes receive_bytes(uint64_t limit = MAX_REQUEST_BYTES) {
    return ReceiveBytes(*this, limit);
  }
  /// A stream to every lane: `data` is indexed by lane, 64 of them, and must
  /// live until this is done.
  SendBytes send_bytes(llvm::ArrayRef<llvm::StringRef> data) {
    return SendBytes(*this, data);
  }
  /// The end of almost every sequence: a result and, in RPC_ERRNO_WORD, errno.
  auto reply(const int64_t (&results)[64], const int (&errors)[64]) {
    return send([&](unsigned lane, rpc_packet &packet) {
      packet.words[0] = uint64_t(results[lane]);
      packet.words[RPC_ERRNO_WORD] = uint64_t(errors[lane]);
    });
  }
  MemoryBudget &budget();
  Engine &owner() const { return *engine; }
  /// For statistics: bytes that went another way than through packets.
  void count_bytes(uint64_t size) { bytes += size; }

private:
  friend class Engine;
  friend class PacketWait;
  friend class Receive;
  template <typename> friend class Send;
  friend class ReceiveBytes;
  friend class SendBytes;
  friend class ExternalWait;

  rpc_packet &packet(unsigned lane) const {
    return *mailbox->packet(slot, lane);
  }
  uint64_t *column(unsigned index) const {
    return reinterpret_cast<uint64_t *>(&packet(0)) + index * mailbox->lanes();
  }
  /// An answer in columns.
  void put_columns(unsigned lane, const rpc_packet &answer) {
    for (unsigned i = 0; i < columns; ++i)
      column(i)[lane] = answer.words[i];
    reinterpret_cast<uint32_t *>(column(RPC_COLUMNS_WORDS))[lane] =
        uint32_t(answer.words[RPC_ERRNO_WORD]);
  }
  // The two halves of a receive, section 2.4: acknowledge what was received
  // just before; then wait.
  void begin_receive() {
    if (received) {
      mailbox->hand_over(slot);
      owns = false;
    }
  }
  bool try_own();
  /// Both, as far as they go now; true when the packet is there.
  bool try_receive(bool &begun);
  void hand_over() {
    mailbox->hand_over(slot);
    owns = received = false;
  }

  Engine *engine = nullptr;
  Mailbox *mailbox = nullptr;
  uint32_t slot = 0;
  // Atomic for Engine::open_ports, which looks from outside.
  std::atomic<uint32_t> code = 0;
  std::atomic<uint64_t> lane_mask = 0;
  std::atomic<bool> in_use = false; // from the first packet to the end
  bool owns = false, received = false;
  unsigned columns = 0; // with RPC_COLUMNS: of the answer, at least 1

  // The engine's.
  Task<> task;                   // the service in progress
  PacketWait *waiting = nullptr; // what it waits for, if for packets
  Runner *runner = nullptr;      // the thread that runs it now
  const Operation *operation = nullptr;
  uint64_t bytes = 0;
  std::chrono::steady_clock::time_point begin;
};

template <typename Fill> bool Send<Fill>::advance() {
  if (!port.try_own())
    return false;
  if (port.columns)
    port.for_each_lane([&](unsigned lane) {
      rpc_packet answer = {};
      fill(lane, answer);
      port.put_columns(lane, answer);
    });
  else
    port.for_each_lane([&](unsigned lane) { fill(lane, port.packet(lane)); });
  port.hand_over();
  return true;
}

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_PORT_H
