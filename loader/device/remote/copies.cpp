//===-- loader/device/remote/copies.cpp - Large copies --------------------===//
// Where the device's memory is not shared, its process has the device copy to
// and from memory that is, one half of it while this process uses the other.
//===----------------------------------------------------------------------===//
#include "loader/device/remote/device.h"

namespace gpuexec::remote {

/// Of a half: as much as a call of the program's copies at a time.
static constexpr uint64_t HALF_SIZE = 1024 * 1024;

class Heap::Copies final : public rpc::CopyBuffer {
public:
  explicit Copies(Heap &heap) : heap(heap) {}
  ~Copies() override {
    for (unsigned half : {0, 1})
      llvm::consumeError(finish(half));
    heap.copies_taken.store(false, std::memory_order_release);
  }
  size_t size() const override { return HALF_SIZE; }
  char *data(unsigned half) override {
    return reinterpret_cast<char *>(heap.copy_memory->data()) +
           half * HALF_SIZE;
  }
  llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                         uint64_t size) override {
    return begin(half, Request::copy_read, from, size, /*writable=*/false,
                 Writer().put(uint32_t(half)).put(uint64_t(offset)));
  }
  llvm::Error start_write(unsigned half, DeviceAddress to,
                          uint64_t size) override {
    return begin(half, Request::copy_write, to, size, /*writable=*/true,
                 Writer().put(uint32_t(half)));
  }
  /// Tells of what has failed in the other process, too.
  llvm::Error finish(unsigned half) override {
    if (!std::exchange(busy[half], false))
      return llvm::Error::success();
    return heap.link
        .ask(Request::copy_finish, Writer().put(uint32_t(half)).bytes())
        .takeError();
  }

private:
  llvm::Error begin(unsigned half, Request request, DeviceAddress address,
                    uint64_t size, bool writable, Writer body) {
    if (!size)
      return llvm::Error::success();
    // Nonsense is refused here: later it could not be told whose it was.
    if (!heap.known(address, size, writable))
      return failure(Reason::failed, "not the device's memory");
    busy[half] = true;
    return heap.link.post(request, body.put(address).put(size).bytes());
  }
  Heap &heap;
  bool busy[2] = {};
};

llvm::Error Heap::prepare_copies() {
  copy_memory.emplace();
  llvm::Expected<HostBuffer> buffer = device.allocate_host(2 * HALF_SIZE);
  if (!buffer)
    return buffer.takeError();
  if (llvm::Error error =
          link.ask(Request::copies,
                   Writer().put(buffer->address).put(HALF_SIZE).bytes())
              .takeError())
    return error;
  copy_memory = llvm::MutableArrayRef<std::byte>(buffer->host, 2 * HALF_SIZE);
  return llvm::Error::success();
}

std::unique_ptr<rpc::CopyBuffer> Heap::copy_buffer() {
  if (all_is_shared || telling || !link.shares_memory() ||
      copies_taken.exchange(true, std::memory_order_acquire))
    return nullptr;
  if (!copy_memory) // without it copies go over the link
    llvm::consumeError(prepare_copies());
  if (!copy_memory->empty())
    return std::make_unique<Copies>(*this);
  copies_taken.store(false, std::memory_order_release);
  return nullptr;
}

} // namespace gpuexec::remote
