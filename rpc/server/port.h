//===-- rpc/server/port.h - One slot of the mailbox -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole wave uses a port at once. A Port is the server's state of one slot. A
// service sends and receives with it, in the order that the opcode says (spec
// sections 2.4 to 2.7). Only the thread that has set its bit in PortTable uses
// it. Nothing here blocks: `co_await` suspends the service until the client has
// flipped its word, and the thread serves other ports.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_PORT_H
#define GPUEXEC_RPC_SERVER_PORT_H

#include "rpc/server/bytes.h"
#include "rpc/server/journal.h"
#include "rpc/server/lockstep.h"
#include "rpc/server/mailbox.h"
#include "rpc/server/outcome.h"
#include "rpc/server/task.h"
#include "rpc/server/waits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"
#include <chrono>

namespace gpuexec::rpc {

class Port;
class Trace;
class WorkerPool;
struct Operation;

/// An awaitable that receives or sends one or more packets.
class PacketWait {
public:
  /// Receives or sends as many packets as is possible now. True when all are
  /// done.
  virtual bool advance() = 0;

  bool await_ready() { return advance(); }
  void await_suspend(std::coroutine_handle<> handle);
  void await_resume() {}
  /// The service that waits.
  std::coroutine_handle<> waiter() const { return suspended; }

protected:
  explicit PacketWait(Port &port) : port(port) {}
  ~PacketWait() = default;
  Port &port;

private:
  std::coroutine_handle<> suspended;
};

class Receive final : public PacketWait {
public:
  explicit Receive(Port &port) : PacketWait(port) {}
  bool advance() override;

private:
  bool begun = false;
};

/// In lockstep: waits until the device has made another step.
class NextTurn final : public PacketWait {
public:
  explicit NextTurn(Port &port);
  bool advance() override;

private:
  const uint64_t step;
};

template <typename Fill> class Send final : public PacketWait {
public:
  Send(Port &port, Fill fill) : PacketWait(port), fill(std::move(fill)) {}
  bool advance() override;

private:
  Fill fill;
};

class ReceiveBytes final : public PacketWait {
public:
  explicit ReceiveBytes(Port &port, uint64_t limit = MAX_REQUEST_BYTES);
  bool advance() override;
  LaneBytes await_resume() { return std::move(bytes); }

  /// `co_await stream.sizes()` before `co_await stream`: receives only the
  /// first packet and returns the size of all lanes' streams together.
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

private:
  llvm::ArrayRef<llvm::StringRef> data; // indexed by lane
  uint64_t longest = 0, at = 0;
  bool sized = false;
};

/// State that all ports of a server share.
struct PortContext {
  OutcomeRecord &outcome;
  Trace *trace = nullptr;       ///< null for none
  Journal *journal = nullptr;   ///< null for none
  WorkerPool *pool = nullptr;   ///< ends waits; set before the first request
  Lockstep *lockstep = nullptr; ///< null unless in lockstep
  std::atomic<uint32_t> unfinished = 0; ///< Port::Unfinished
  std::atomic<bool> draining = false;   ///< no wave runs
  MemoryBudget budget{uint64_t(4) << 30};
};

/// Calls `f` with each lane of a mask, in their order.
template <typename F> void for_each_lane_of(uint64_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1)
    f(unsigned(llvm::countr_zero(lanes)));
}

class Port {
public:
  Port() = default;
  Port(const Port &) = delete;

  //===-- For services ----------------------------------------------------===//
  uint32_t opcode() const { return code.load(std::memory_order_relaxed); }
  uint32_t index() const { return slot; }
  uint64_t mask() const { return lane_mask.load(std::memory_order_relaxed); }
  unsigned lane_count() const { return unsigned(llvm::popcount(mask())); }
  template <typename F> void for_each_lane(F f) const {
    for_each_lane_of(mask(), f);
  }

  /// `co_await port.receive();` receives a packet; word() reads it until the
  /// next operation.
  Receive receive() { return Receive(*this); }
  /// One word of a lane's packet, read once: the device may still change it.
  uint64_t word(unsigned lane, unsigned index) const {
    return *static_cast<volatile uint64_t *>(
        soa_words ? word_array(index) + lane : packet(lane).words + index);
  }
  /// Copies the packet's bytes from `offset` on.
  void read(unsigned lane, void *to, unsigned offset, unsigned size) const {
    std::memcpy(to, reinterpret_cast<char *>(&packet(lane)) + offset, size);
  }
  /// `co_await port.send([&](unsigned lane, rpc_packet &packet) {...});`
  template <typename Fill> Send<Fill> send(Fill fill) {
    return Send<Fill>(*this, std::move(fill));
  }
  /// Receives a stream from every lane. Bytes of a lane beyond `limit` are
  /// dropped.
  ReceiveBytes receive_bytes(uint64_t limit = MAX_REQUEST_BYTES) {
    return ReceiveBytes(*this, limit);
  }
  /// Sends a stream to every lane. `data` has 64 elements, indexed by lane, and
  /// must live until the streams are sent.
  SendBytes send_bytes(llvm::ArrayRef<llvm::StringRef> data) {
    return SendBytes(*this, data);
  }

  /// `co_await port.wait_for(fd, POLLIN);` waits until the file is ready.
  FileWait wait_for(int fd, short events) {
    return {*this, fd, events, Poller::Clock::time_point::max()};
  }
  FileWait sleep(std::chrono::milliseconds time) {
    return {*this, -1, 0, Poller::Clock::now() + time};
  }
  /// `co_await port.background();` continues in a background thread, in which
  /// the service may block.
  BackgroundWait background() { return BackgroundWait(*this); }

  /// For a service that answers before it has done its work, without waits: as
  /// long as this exists no other request is begun, so that whatever the
  /// program asks next finds the work done. Make it before the answer.
  class Unfinished {
  public:
    explicit Unfinished(Port &port) : count(port.context->unfinished) {
      count.fetch_add(1, std::memory_order_relaxed);
    }
    Unfinished(const Unfinished &) = delete;
    ~Unfinished() { count.fetch_sub(1, std::memory_order_release); }

  private:
    std::atomic<uint32_t> &count;
  };

  MemoryBudget &budget() const { return context->budget; }
  /// The device broke the protocol: ends the program.
  void fail(const std::string &reason) const;
  /// For statistics: bytes that were moved, by packets or otherwise.
  void count_bytes(uint64_t size) { bytes += size; }

  //===-- For the journal -------------------------------------------------===//
  /// The journal's notes of this call so far; null when no journal is kept.
  CallNotes *notes() { return is_noting ? &call_notes : nullptr; }
  bool is_replayed() const { return is_noting && context->journal->replays(); }
  Journal &journal() const { return *context->journal; }
  /// Hands the complete notes to the journal, once. Call it before the answer
  /// is sent; or after it with a turn that was taken before, so that the
  /// journal records the program's later calls behind this one.
  void note_served(Journal::Turn turn = {});
  /// Keeps the call out of the journal: it is served in a replay, too.
  void forget_notes() { is_noting = false; }
  /// While replaying: finds the recorded answer of the noted request. None when
  /// the recording has no answer: the program's outcome is then set.
  Task<std::optional<llvm::StringRef>> replayed_answer();

  //===-- For awaitables --------------------------------------------------===//
  /// Whether the calling thread may change the mailbox. In lockstep only the
  /// thread that has the turn may.
  bool may_serve() const {
    return !context->lockstep || context->lockstep->is_my_turn();
  }
  Lockstep *lockstep() const { return context->lockstep; }
  /// Whether the server owns the port. False while the client owns it.
  bool try_own();
  /// Acknowledges the packet that was received before, unless `begun`; true
  /// when the next packet is there (spec section 2.4).
  bool try_receive(bool &begun);
  /// Fills the packets of all lanes with fill(lane, packet) and gives the port
  /// to the client. The server must own the port.
  template <typename Fill> void put(Fill fill);
  /// Gives the port to the client.
  void hand_over() {
    mailbox->hand_over(slot);
    owns = received = false;
  }
  rpc_packet &packet(unsigned lane) const {
    return *mailbox->packet(slot, lane);
  }
  /// Bytes of a lane's packet in a request.
  unsigned request_bytes() const { return mailbox->request_bytes(slot); }
  /// The service waits for packets.
  void suspend(PacketWait &wait) { waiting = &wait; }
  /// Another thread may run the service from now on.
  void hand_off() { *handed_off = true; }
  WorkerPool &pool() const { return *context->pool; }

  /// Whether --trace is on. The arguments are JSON members, each after a comma.
  bool is_traced() const { return context->trace; }
  std::string trace_arguments;

  //===-- For PortTable ---------------------------------------------------===//
  /// Of the request in progress.
  struct Request {
    Task<> task; ///< not set for a Service::serve_packet
    const Operation *operation = nullptr;
    std::chrono::steady_clock::time_point begin;
  };

  void attach(PortContext &shared, Mailbox &memory, uint32_t index) {
    context = &shared;
    mailbox = &memory;
    slot = index;
  }
  /// Reads the header of a new request, and begins its notes.
  void read_header();
  /// A thread is about to run the service. The service sets `flag` when another
  /// thread may run it from then on.
  void run_by(bool &flag) {
    waiting = nullptr;
    handed_off = &flag;
  }
  PacketWait *waits_for() const { return waiting; }
  bool is_ours() const { return owns; }
  uint64_t moved_bytes() const { return bytes; }
  /// Makes the port usable again after its wave has ended in the middle of a
  /// call.
  void reset();

  Request request;
  std::atomic<bool> in_use = false; ///< from the first packet to the end

private:
  uint64_t *word_array(unsigned index) const {
    return reinterpret_cast<uint64_t *>(&packet(0)) + index * mailbox->lanes();
  }
  /// Writes a lane's answer as RPC_SOA lays it out.
  void put_soa(unsigned lane, const rpc_packet &answer) {
    for (unsigned i = 0; i < soa_words; ++i)
      word_array(i)[lane] = answer.words[i];
    reinterpret_cast<uint32_t *>(word_array(RPC_SOA_WORDS))[lane] =
        uint32_t(answer.words[RPC_ERRNO_WORD]);
  }

  PortContext *context = nullptr;
  CallNotes call_notes; // kept from call to call for its buffers
  bool is_noting = false;
  Mailbox *mailbox = nullptr;
  uint32_t slot = 0;
  // Atomic for PortTable::open_ports(), which reads them without the lock.
  std::atomic<uint32_t> code = 0;
  std::atomic<uint64_t> lane_mask = 0;
  bool owns = false, received = false;
  unsigned soa_words = 0; // with RPC_SOA: words of the answer, at least 1
  uint64_t bytes = 0;
  PacketWait *waiting = nullptr;
  bool *handed_off = nullptr; // of the thread that runs the service
};

template <typename Fill> void Port::put(Fill fill) {
  if (soa_words)
    for_each_lane([&](unsigned lane) {
      rpc_packet answer = {};
      fill(lane, answer);
      put_soa(lane, answer);
    });
  else
    for_each_lane([&](unsigned lane) { fill(lane, packet(lane)); });
  hand_over();
}

template <typename Fill> bool Send<Fill>::advance() {
  if (!port.try_own())
    return false;
  port.put(fill);
  return true;
}

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_PORT_H
