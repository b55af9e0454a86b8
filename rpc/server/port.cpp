//===-- rpc/server/port.cpp - Packets in and out of one slot --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams follow spec section 2.7. Both sides compute the number of packets
// from the sizes in the first one; therefore the largest announced size counts,
// even if the server refuses to store so many bytes.
//===----------------------------------------------------------------------===//
#include "rpc/server/port.h"
#include "rpc/server/worker_pool.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace gpuexec::rpc;

// After this many packets of a stream the port waits for its next turn, so that
// the thread serves other ports too.
static constexpr unsigned PACKETS_PER_TURN = 64;
// The streams of a wave share one allocation if they have no more bytes than
// this in all.
static constexpr uint64_t SHARED_BYTES = 256 << 10;

void Port::fail(const std::string &reason) const {
  context->outcome.fail("RPC port " + std::to_string(slot) + ": " + reason);
}

// Reads each word once: the device may still change it.
void Port::read_header() {
  rpc_header &header = mailbox->header(slot);
  uint64_t mask =
      std::atomic_ref(header.lane_mask).load(std::memory_order_relaxed);
  uint32_t opcode = mailbox->opcode(slot);
  soa_words = 0;
  const uint32_t word =
      std::atomic_ref(header.soa_words).load(std::memory_order_relaxed);
  if (opcode & RPC_SOA && !mailbox->is_fast_slot(slot)) {
    opcode &= ~RPC_SOA;
    soa_words = std::clamp(word & RPC_SOA_WORDS, 1u, RPC_SOA_WORDS);
  }
  lane_mask.store(mask, std::memory_order_relaxed);
  code.store(opcode, std::memory_order_relaxed);
  owns = received = false;
  bytes = 0;
  if (context->journal)
    call_notes.begin(opcode, word >> 2, mailbox->calling_lanes(slot, mask));
  if (context->lockstep)
    call_notes.number = ++context->lockstep->calls;
  is_noting = context->journal;
}

void Port::note_served(Journal::Turn turn) {
  if (!is_noting)
    return;
  is_noting = false;
  if (context->lockstep)
    call_notes.step = context->lockstep->step;
  Journal &journal = *context->journal;
  if (!journal.replays())
    journal.served(call_notes, turn ? std::move(turn) : journal.take_turn());
}

Task<std::optional<llvm::StringRef>> Port::replayed_answer() {
  // Other waves are served meanwhile: thousands may wait for the last of them.
  static constexpr std::chrono::milliseconds LONGEST(16);
  std::chrono::milliseconds pause(1);
  for (;;) {
    llvm::StringRef answer;
    Outcome outcome = {Outcome::Kind::error};
    if (context->lockstep)
      call_notes.step = context->lockstep->step;
    else
      call_notes.is_last = context->draining;
    switch (context->journal->match(call_notes, answer, outcome)) {
    case Journal::Found::answer:
      co_return answer;
    case Journal::Found::none:
      context->outcome.finish(std::move(outcome));
      co_return std::nullopt;
    case Journal::Found::later:
      if (call_notes.is_last) // the program ends; no other call can come
        co_return std::nullopt;
      if (context->lockstep)
        co_await NextTurn(*this);
      else
        co_await sleep(std::exchange(pause, std::min(2 * pause, LONGEST)));
    }
  }
}

void Port::reset() {
  waiting = nullptr;
  if (owns || mailbox->inbox(slot) != mailbox->outbox(slot))
    mailbox->hand_over(slot);
  owns = received = false;
}

bool Port::try_own() {
  if (!may_serve())
    return false;
  if (owns)
    return true;
  uint32_t in = mailbox->inbox(slot);
  if (in == mailbox->outbox(slot))
    return false;
  if (in > 1) {
    fail("mailbox word 0x" + llvm::utohexstr(in, true) + ", expected 0 or 1");
    return false;
  }
  owns = true;
  return true;
}

void PacketWait::await_suspend(std::coroutine_handle<> handle) {
  suspended = handle;
  port.suspend(*this);
}

//===-- Waits for something other than a packet ---------------------------===//

void ExternalWait::hand_off(std::coroutine_handle<> handle) {
  waiter = handle;
  port->hand_off();
}

// Both functions call the pool last: before that returns, another thread may
// destroy this object.
void FileWait::await_suspend(std::coroutine_handle<> handle) {
  hand_off(handle);
  port->pool().wait_for_file(*this, fd, events, deadline);
}

void BackgroundWait::await_suspend(std::coroutine_handle<> handle) {
  hand_off(handle);
  port->pool().run_in_background(*this);
}

//===-- Packets and streams -----------------------------------------------===//

bool Port::try_receive(bool &begun) {
  if (!may_serve())
    return false;
  if (!begun && received) {
    mailbox->hand_over(slot);
    owns = false;
  }
  begun = true;
  if (!try_own())
    return false;
  received = true;
  return true;
}

bool Receive::advance() { return port.try_receive(begun); }

NextTurn::NextTurn(Port &port)
    : PacketWait(port), step(port.lockstep()->step) {}
bool NextTurn::advance() {
  return port.may_serve() && port.lockstep()->step != step;
}

ReceiveBytes::ReceiveBytes(Port &port, uint64_t limit)
    : PacketWait(port), bytes(port.budget()), limit(limit) {}

void ReceiveBytes::first_packet() {
  uint64_t sum = 0;
  bool small = true;
  port.for_each_lane([&](unsigned lane) {
    uint64_t size = port.word(lane, 0);
    bytes.sizes[lane] = size;
    longest = std::max(longest, size);
    small &= size <= SHARED_BYTES;
    sum += std::min(size, SHARED_BYTES);
    total += std::min(size, limit);
  });
  if (small && sum <= SHARED_BYTES && bytes.shared.reserve(sum)) {
    port.for_each_lane([&](unsigned lane) {
      // Room for the whole stream here; stored[] counts what has arrived.
      bytes.data[lane] = bytes.shared.data() + bytes.shared.size();
      bytes.shared.grow(bytes.sizes[lane]);
    });
  } else {
    bytes.own = std::make_unique<Buffer[]>(64);
    port.for_each_lane(
        [&](unsigned lane) { bytes.own[lane] = Buffer(*bytes.budget); });
  }
}

void ReceiveBytes::next_packet() {
  unsigned offset = sized ? 0 : 8;
  uint64_t from = sized ? at : 0;
  if (!sized)
    first_packet();
  unsigned room = port.request_bytes() - offset;
  port.for_each_lane([&](unsigned lane) {
    uint64_t size = std::min(bytes.sizes[lane], limit);
    // A lane that is done, or whose memory was refused, gets no more.
    if (bytes.stored[lane] != from || from >= size)
      return;
    unsigned count = unsigned(std::min<uint64_t>(size - from, room));
    if (bytes.own) {
      Buffer &buffer = bytes.own[lane];
      if (!buffer.reserve(count))
        return;
      port.read(lane, buffer.data() + from, offset, count);
      buffer.grow(count);
      bytes.data[lane] = buffer.data();
    } else {
      port.read(lane, const_cast<char *>(bytes.data[lane]) + from, offset,
                count);
    }
    bytes.stored[lane] += count;
    port.count_bytes(count);
  });
  at = from + room;
  sized = true;
}

bool ReceiveBytes::one_packet() {
  if (!port.try_receive(begun))
    return false;
  begun = false;
  next_packet();
  return true;
}

bool ReceiveBytes::advance() {
  for (unsigned turn = 0; turn < PACKETS_PER_TURN; ++turn) {
    // `at` can wrap only after 2^64 bytes have been sent.
    if (sized && at >= longest)
      return true;
    if (!one_packet())
      return false;
  }
  return sized && at >= longest;
}

bool SendBytes::advance() {
  for (unsigned turn = 0; turn < PACKETS_PER_TURN; ++turn) {
    if (!port.try_own())
      return false;
    uint64_t from = at;
    port.for_each_lane([&](unsigned lane) {
      rpc_packet &packet = port.packet(lane);
      llvm::StringRef text = data[lane];
      unsigned offset = sized ? 0 : 8;
      if (!sized) {
        packet.words[0] = text.size();
        longest = std::max<uint64_t>(longest, text.size());
      }
      if (from < text.size()) {
        uint64_t count =
            std::min<uint64_t>(text.size() - from, RPC_PACKET_BYTES - offset);
        std::memcpy(packet.bytes + offset, text.data() + from, count);
        port.count_bytes(count);
      }
    });
    at += sized ? RPC_PACKET_BYTES : RPC_FIRST_STREAM_BYTES;
    sized = true;
    port.hand_over();
    if (at >= longest)
      return true;
  }
  return false;
}
