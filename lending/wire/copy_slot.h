//===-- lending/wire/copy_slot.h - Requests without a wake-up ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large copies come in series. To send each request over a socket costs a
// system call, and wakes the worker up. So a worker that has just carried out a
// copy polls a slot in memory that the client has mapped, too (UseCopies), and
// the client puts its next CopyRead or CopyWrite there. While the worker does
// not poll, or a request is too large, requests go over the socket.
//
// Both sides take the other for hostile: a side reads each word once and
// decodes its own copy of the bytes.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_COPY_SLOT_H
#define GPUEXEC_LENDING_WIRE_COPY_SLOT_H

#include "lending/wire/channel.h"
#include "rpc/server/device_memory.h"
#include <atomic>

namespace gpuexec::wire {

/// One slot, in memory that both sides have mapped and that begins as zeros.
class CopySlot {
public:
  /// Bytes of the memory.
  static constexpr size_t SIZE = 4096;
  /// The most bytes of a request's fields.
  static constexpr size_t ROOM = SIZE - 2 * rpc::COPY_END_WORD;

  /// `memory`: SIZE bytes, aligned as COPY_END_WORD is.
  explicit CopySlot(void *memory) : shared(*static_cast<Shared *>(memory)) {}

  // The client's side, one thread at a time:

  /// Puts a request there. False when the worker does not take it from there.
  bool post(uint32_t kind, llvm::StringRef body) {
    if (body.size() > ROOM || !polls() || word(shared.kind).load())
      return false;
    std::memcpy(shared.body, body.data(), body.size());
    word(shared.size).store(uint32_t(body.size()), std::memory_order_relaxed);
    // Sequentially consistent, as in stop_polling(): either the worker sees the
    // request, or this side sees that the worker does not poll any more.
    word(shared.kind).store(kind);
    uint32_t posted = kind;
    return polls() || !word(shared.kind).compare_exchange_strong(posted, 0);
  }

  // The worker's side, one thread at a time:

  void start_polling() { word(shared.polls).store(1); }
  /// The caller looks with take() once more.
  void stop_polling() { word(shared.polls).store(0); }
  /// Takes the request that is there; nothing when there is none, or when the
  /// client sends it over the socket instead.
  std::optional<Message> take() {
    uint32_t kind = word(shared.kind).load();
    if (!kind)
      return std::nullopt;
    const size_t size = word(shared.size).load(std::memory_order_relaxed);
    Message message;
    message.kind = kind;
    message.body.assign(shared.body, std::min(size, ROOM));
    if (!word(shared.kind).compare_exchange_strong(kind, 0))
      return std::nullopt;
    return message;
  }

private:
  struct Shared {
    alignas(rpc::COPY_END_WORD) uint32_t polls; ///< 1: the worker does
    alignas(rpc::COPY_END_WORD) uint32_t kind;  ///< of the request; 0: none
    uint32_t size;                              ///< bytes of `body`
    char body[ROOM];
  };
  static_assert(sizeof(Shared) == SIZE);
  static std::atomic_ref<uint32_t> word(uint32_t &word) {
    return std::atomic_ref(word);
  }
  bool polls() const { return word(shared.polls).load(); }
  Shared &shared;
};

/// Bytes of UseCopies' memory: two halves, their end words, the slot.
inline constexpr uint64_t copies_size(uint64_t half) {
  return rpc::copy_memory_size(half) + CopySlot::SIZE;
}

} // namespace gpuexec::wire

#endif
