//===-- lending/client/copies.cpp - Large copies --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large copies where the device's memory is not shared. There is memory that is
// shared, in two halves: the device copies to or from one half while this
// process uses the other. On one machine this process polls words in that
// memory (end words) to see that a copy has ended, and puts requests into that
// memory while the other process polls it (CopySlot). Another machine sends the
// bytes, then a reply.
//===----------------------------------------------------------------------===//
#include "lending/client/device.h"
#include "lending/wire/copy_slot.h"

namespace gpuexec::lending {

using Clock = std::chrono::steady_clock;

/// Bytes of a half: the most that a call of the program copies at a time.
static constexpr uint64_t HALF_SIZE = 1024 * 1024;
/// Parts of one request. More than a few hundred make a copy no faster.
static constexpr size_t PARTS_OF_REQUEST = 2048;
static_assert(PARTS_OF_REQUEST <= wire::MOST_COPY_PARTS);
/// How long the end word is polled before the other process is asked: only that
/// process knows of errors.
static constexpr std::chrono::microseconds POLL_END_WORD_FOR(500);

class Heap::Copies final : public rpc::CopyBuffer {
public:
  explicit Copies(Heap &heap)
      : heap(heap), is_far(!heap.link.shares_memory()) {}
  ~Copies() override {
    for (unsigned half : {0, 1})
      llvm::consumeError(finish(half));
    heap.copies_taken.store(false, std::memory_order_release);
  }
  size_t size() const override { return HALF_SIZE; }
  char *data(unsigned half) override {
    return reinterpret_cast<char *>(heap.copies->memory.host) +
           half * HALF_SIZE;
  }
  llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                         uint64_t size) override {
    if (llvm::Error error = check(from, size, /*writable=*/false))
      return error;
    if (!size)
      return llvm::Error::success();
    halves[half].parts.push_back({offset, from, size});
    if (halves[half].parts.size() >= PARTS_OF_REQUEST)
      go(half);
    return llvm::Error::success();
  }
  llvm::Error start_write(unsigned half, DeviceAddress to,
                          uint64_t size) override {
    if (llvm::Error error = check(to, size, /*writable=*/true))
      return error;
    if (!size)
      return llvm::Error::success();
    if (is_far)
      heap.link.notify(
          wire::Carry{heap.copies->memory.address + half * HALF_SIZE, size});
    send(half, wire::CopyWrite{half, to, size});
    return llvm::Error::success();
  }
  void go(unsigned half) override {
    if (!halves[half].parts.empty())
      send(half, wire::CopyRead{half, std::exchange(halves[half].parts, {})});
  }
  void no_more(unsigned half) override { go(half); }
  /// Waits for the copies of a half. Errors: also those of the other process.
  llvm::Error finish(unsigned half) override {
    go(half);
    if (!std::exchange(halves[half].is_busy, false))
      return llvm::Error::success();
    if (is_far) {
      llvm::Error error = heap.link.settle(halves[half].posted);
      if (!std::exchange(halves[half].has_failed, false) || error)
        return error;
      return failure(Reason::failed, "the copy cannot be asked for");
    }
    if (heap.copies->has_end_words && sees_end(half))
      return llvm::Error::success();
    return heap.link.ask(wire::CopyFinish{half}).takeError();
  }

private:
  struct Half {
    std::vector<wire::CopyPart> parts; ///< of a request that was not sent yet
    bool is_busy = false;              ///< a copy was requested since finish()
    uint32_t awaited = 0;              ///< the end word after all copies
    uint64_t posted = 0;               ///< the last request, for Link::settle()
    bool has_failed = false;
  };
  /// Refuses an invalid range before it is requested: an error that comes later
  /// does not tell to which copy it belongs.
  llvm::Error check(DeviceAddress address, uint64_t size, bool writable) {
    if (size && !heap.known(address, size, writable))
      return failure(Reason::failed, "not the device's memory");
    return llvm::Error::success();
  }
  template <typename R> void send(unsigned index, const R &request) {
    Half &half = halves[index];
    if (is_far) {
      llvm::Expected<uint64_t> number = heap.link.post(request);
      if (number)
        half.posted = *number;
      else
        llvm::consumeError(number.takeError());
      half.has_failed |= !number;
    } else {
      if (!half.is_busy && heap.copies->has_end_words)
        half.awaited = end_word(index).load(std::memory_order_relaxed);
      ++half.awaited;
      if (!slot().post(R::KIND, wire::encode(request)))
        heap.link.notify(request);
    }
    half.is_busy = true;
  }
  std::atomic_ref<uint32_t> end_word(unsigned half) {
    return std::atomic_ref(
        *reinterpret_cast<uint32_t *>(data(2) + half * rpc::COPY_END_WORD));
  }
  wire::CopySlot slot() {
    return wire::CopySlot(data(0) + rpc::copy_memory_size(HALF_SIZE));
  }
  /// Polls the half's end word; false when the copies take too long.
  bool sees_end(unsigned half) {
    const Clock::time_point end = Clock::now() + POLL_END_WORD_FOR;
    do
      // Acquire: sees the bytes that the device wrote before the end word.
      if (end_word(half).load(std::memory_order_acquire) ==
          halves[half].awaited)
        return true;
    while (Clock::now() < end);
    return false;
  }
  Heap &heap;
  const bool is_far;
  Half halves[2];
};

llvm::Error Heap::prepare_copies() {
  copies_tried = true;
  llvm::Expected<HostBuffer> buffer =
      device.allocate_host(wire::copies_size(HALF_SIZE));
  if (!buffer)
    return buffer.takeError();
  auto reply = link.ask(wire::UseCopies{buffer->address, HALF_SIZE});
  if (!reply)
    return reply.takeError();
  copies = CopyMemory{*buffer, reply->has_end_words};
  return llvm::Error::success();
}

std::unique_ptr<rpc::CopyBuffer> Heap::copy_buffer() {
  if (all_is_shared || telling ||
      copies_taken.exchange(true, std::memory_order_acquire))
    return nullptr;
  if (!copies_tried) // if it fails, copies go over the link
    llvm::consumeError(prepare_copies());
  if (copies)
    return std::make_unique<Copies>(*this);
  copies_taken.store(false, std::memory_order_release);
  return nullptr;
}

} // namespace gpuexec::lending
