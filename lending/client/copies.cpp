//===-- lending/client/copies.cpp - Large copies --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the device's memory is not shared, its process has the device copy to
// and from memory that is, one half of it while this process uses the other. On
// one machine this process sees a copy's end in that memory (end words); from
// another machine the bytes come, and then a reply.
//===----------------------------------------------------------------------===//
#include "lending/client/device.h"

namespace gpuexec::remote {

using Clock = std::chrono::steady_clock;

/// Of a half: as much as a call of the program's copies at a time.
static constexpr uint64_t HALF_SIZE = 1024 * 1024;
/// Of a request for many parts.
static constexpr size_t LARGEST_REQUEST = 64 * 1024;
/// So long an end word is looked at, before the other process is asked: it
/// knows of errors.
static constexpr std::chrono::microseconds LOOK_FOR(500);

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
    halves[half].parts.put(uint64_t(offset)).put(from).put(size);
    if (halves[half].parts.bytes().size() >= LARGEST_REQUEST)
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
      heap.link.notify(Request::carry,
                       Writer()
                           .put(heap.copies->memory.address + half * HALF_SIZE)
                           .put(size)
                           .bytes());
    send(half, Request::copy_write,
         Writer().put(uint32_t(half)).put(to).put(size));
    return llvm::Error::success();
  }
  void go(unsigned half) override {
    if (halves[half].parts.bytes().empty())
      return;
    const Writer parts = std::exchange(halves[half].parts, Writer());
    send(half, Request::copy_read,
         Writer().put(uint32_t(half)).raw(parts.bytes()));
  }
  void no_more(unsigned half) override { go(half); }
  /// Tells of what has failed in the other process, too.
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
    return heap.link
        .ask(Request::copy_finish, Writer().put(uint32_t(half)).bytes())
        .takeError();
  }

private:
  struct Half {
    Writer parts;         ///< of a request that was not sent yet
    bool is_busy = false; ///< something was asked for
    uint32_t awaited = 0; ///< the end word then
    uint64_t posted = 0;  ///< the last request: Link::settle()
    bool has_failed = false;
  };
  /// Nonsense is refused here: later it could not be told whose it was.
  llvm::Error check(DeviceAddress address, uint64_t size, bool writable) {
    if (size && !heap.known(address, size, writable))
      return failure(Reason::failed, "not the device's memory");
    return llvm::Error::success();
  }
  void send(unsigned index, Request request, const Writer &body) {
    Half &half = halves[index];
    if (is_far) {
      llvm::Expected<uint64_t> number = heap.link.post(request, body.bytes());
      if (number)
        half.posted = *number;
      else
        llvm::consumeError(number.takeError());
      half.has_failed |= !number;
    } else {
      if (!half.is_busy && heap.copies->has_end_words)
        half.awaited = end_word(index).load(std::memory_order_relaxed);
      ++half.awaited;
      heap.link.notify(request, body.bytes());
    }
    half.is_busy = true;
  }
  std::atomic_ref<uint32_t> end_word(unsigned half) {
    return std::atomic_ref(
        *reinterpret_cast<uint32_t *>(data(2) + half * rpc::COPY_END_WORD));
  }
  /// False when it takes too long.
  bool sees_end(unsigned half) {
    const Clock::time_point end = Clock::now() + LOOK_FOR;
    do
      // Acquire: the device has written the bytes before.
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
      device.allocate_host(rpc::copy_memory_size(HALF_SIZE));
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<Answer> answer = link.ask(
      Request::copies, Writer().put(buffer->address).put(HALF_SIZE).bytes());
  if (!answer)
    return answer.takeError();
  Reader reader(answer->body);
  const bool has_end_words = reader.take_flag();
  if (!reader.done())
    return failure(Reason::failed, "{0} replies nonsense", link.name());
  copies = CopyMemory{*buffer, has_end_words};
  return llvm::Error::success();
}

std::unique_ptr<rpc::CopyBuffer> Heap::copy_buffer() {
  if (all_is_shared || telling ||
      copies_taken.exchange(true, std::memory_order_acquire))
    return nullptr;
  if (!copies_tried) // without it copies go over the link
    llvm::consumeError(prepare_copies());
  if (copies)
    return std::make_unique<Copies>(*this);
  copies_taken.store(false, std::memory_order_release);
  return nullptr;
}

} // namespace gpuexec::remote
