//===-- loader/device/cuda/heap_copies.cpp - Large copies -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/heap.h"

namespace gpuexec::cuda {

class Heap::Copies final : public rpc::CopyBuffer {
public:
  /// `address`: of `memory` on the device; null: there are no end words.
  Copies(Heap &heap, char *memory, DeviceAddress address, size_t half_size)
      : heap(heap), memory(memory), address(address), half_size(half_size) {}
  ~Copies() override {
    for (unsigned half : {0, 1}) {
      llvm::consumeError(finish(half));
      // Another process that shares the memory may have written the end words.
      if (is_shared() && std::exchange(used[half], false)) {
        heap.api.cuCtxSetCurrent(heap.context);
        heap.api.wait(heap.half_streams[half]);
      }
    }
    heap.copies_taken.store(false, std::memory_order_release);
  }
  size_t size() const override { return half_size; }
  char *data(unsigned half) override { return memory + half * half_size; }
  llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                         uint64_t size) override {
    if (llvm::Error error = begin(half, from, size))
      return error;
    return heap.api.check(
        heap.api.cuMemcpyDtoHAsync_v2(data(half) + offset, from.value, size,
                                      heap.half_streams[half]),
        "copying from the device");
  }
  llvm::Error start_write(unsigned half, DeviceAddress to,
                          uint64_t size) override {
    if (llvm::Error error = begin(half, to, size))
      return error;
    return heap.api.check(
        heap.api.cuMemcpyHtoDAsync_v2(to.value, data(half), size,
                                      heap.half_streams[half]),
        "copying to the device");
  }
  // The stream writes an end word behind the copy. The host sees it a
  // microsecond before the driver reports the end of the copy (H200), but the
  // next copy in the stream waits until the word is written.
  void no_more(unsigned half) override {
    if (!busy[half] || !has_end_words())
      return;
    if (!has_word[half])
      awaited[half] = end_word(half).load(std::memory_order_relaxed);
    ++awaited[half];
    has_word[half] =
        heap.api.cuStreamWriteValue32_v2(
            heap.half_streams[half], address.value + offset_of_word(half),
            awaited[half], CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS;
  }
  bool has_end_words() const override {
    return address && heap.api.cuStreamWriteValue32_v2;
  }
  llvm::Error finish(unsigned half) override {
    if (!busy[half])
      return llvm::Error::success();
    busy[half] = false;
    if (std::exchange(has_word[half], false)) {
      // After POLLING_TIME ask the driver, which knows of errors.
      auto end = std::chrono::steady_clock::now() + POLLING_TIME;
      do
        if (end_word(half).load(std::memory_order_acquire) == awaited[half])
          return llvm::Error::success();
      while (std::chrono::steady_clock::now() < end);
    }
    heap.api.cuCtxSetCurrent(heap.context); // another thread began the copy
    return heap.api.check(heap.api.wait(heap.half_streams[half]), "copying");
  }

private:
  llvm::Error begin(unsigned half, DeviceAddress address, uint64_t size) {
    heap.api.cuCtxSetCurrent(heap.context);
    if (llvm::Error error = heap.check_range(address, size))
      return error;
    busy[half] = used[half] = true;
    return llvm::Error::success();
  }
  /// Whether other processes can write to the memory.
  bool is_shared() const {
    return memory != reinterpret_cast<char *>(heap.bounce + BOUNCE_SIZE);
  }
  size_t offset_of_word(unsigned half) const {
    return 2 * half_size + half * rpc::COPY_END_WORD;
  }
  /// The half's end word, which the half's stream writes.
  std::atomic_ref<uint32_t> end_word(unsigned half) {
    return std::atomic_ref(
        *reinterpret_cast<uint32_t *>(memory + offset_of_word(half)));
  }
  Heap &heap;
  char *const memory;
  const DeviceAddress address;
  const size_t half_size;
  bool busy[2] = {}, used[2] = {}, has_word[2] = {};
  uint32_t awaited[2] = {};
};

std::unique_ptr<rpc::CopyBuffer> Heap::copy_buffer() {
  DeviceAddress address;
  if (bounce_address)
    address = DeviceAddress(bounce_address + BOUNCE_SIZE);
  return copy_buffer_in(reinterpret_cast<char *>(bounce + BOUNCE_SIZE), address,
                        HALF_SIZE);
}

std::unique_ptr<rpc::CopyBuffer>
Heap::copy_buffer_in(char *memory, DeviceAddress address, size_t half_size) {
  if (copies_taken.exchange(true, std::memory_order_acquire))
    return nullptr;
  return std::make_unique<Copies>(*this, memory, address, half_size);
}

} // namespace gpuexec::cuda
