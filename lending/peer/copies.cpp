//===-- lending/peer/copies.cpp - Large copies for a client ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/copies.h"

namespace gpuexec::lending {

namespace {

/// By the processor, at once.
class PlainCopies final : public rpc::CopyBuffer {
public:
  PlainCopies(rpc::DeviceMemory &heap, char *memory, size_t half_size)
      : heap(heap), memory(memory), half_size(half_size) {}
  size_t size() const override { return half_size; }
  char *data(unsigned half) override { return memory + half * half_size; }
  llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                         uint64_t size) override {
    return heap.read(data(half) + offset, from, size);
  }
  llvm::Error start_write(unsigned half, DeviceAddress to,
                          uint64_t size) override {
    return heap.write(to, data(half), size);
  }
  llvm::Error finish(unsigned half) override { return llvm::Error::success(); }

private:
  rpc::DeviceMemory &heap;
  char *const memory;
  const size_t half_size;
};

llvm::Error nonsense() {
  return failure(Reason::failed, "a copy that makes no sense");
}

} // namespace

Copies::Copies(Device &device, std::byte *memory, DeviceAddress address,
               uint64_t half_size, bool is_far)
    : address(address), half_size(half_size), is_far(is_far) {
  auto *bytes = reinterpret_cast<char *>(memory);
  buffer = device.heap().copy_buffer_in(bytes, address, half_size);
  if (!buffer)
    buffer = std::make_unique<PlainCopies>(device.heap(), bytes, half_size);
}

/// Does the part lie in a half of that size, and is there something to copy?
static bool is_good(const wire::CopyPart &part, uint64_t half_size) {
  return part.size && part.offset <= half_size &&
         part.size <= half_size - part.offset;
}

llvm::Error Copies::begin_read(const wire::CopyRead &request) {
  for (const wire::CopyPart &part : request.parts) {
    if (!is_good(part, half_size))
      return nonsense();
    if (llvm::Error error =
            buffer->start_read(request.half, part.offset, part.from, part.size))
      return error;
  }
  return llvm::Error::success();
}

/// The relay sends what was copied while the rest is copied.
llvm::Error Copies::read_and_carry(const wire::CopyRead &request,
                                   const Response &response) {
  constexpr uint64_t STEP = 256 * 1024;
  const unsigned half = request.half;
  for (const wire::CopyPart &part : request.parts) {
    if (!is_good(part, half_size))
      return nonsense();
    for (uint64_t at = 0; at < part.size; at += STEP) {
      const uint64_t offset = part.offset + at,
                     size = std::min(STEP, part.size - at);
      if (llvm::Error error =
              buffer->start_read(half, offset, part.from + at, size))
        return error;
      buffer->no_more(half);
      if (llvm::Error error = buffer->finish(half))
        return error;
      if (response.carry)
        response.carry(address + half * half_size + offset, size);
    }
  }
  return llvm::Error::success();
}

llvm::Error Copies::begin_write(const wire::CopyWrite &request) {
  if (request.size > half_size || !request.size)
    return nonsense();
  return buffer->start_write(request.half, request.address, request.size);
}

/// A client of this machine does not wait for a reply: it sees the end word, or
/// asks. `error`: of what was begun.
llvm::Error Copies::end(unsigned half, Response &response, llvm::Error error) {
  response.is_silent = true;
  if (error)
    why_failed[half] = llvm::toString(std::move(error));
  else
    buffer->no_more(half);
  return llvm::Error::success();
}

llvm::Error Copies::read(const wire::CopyRead &request, Response &response) {
  return is_far ? read_and_carry(request, response)
                : end(request.half, response, begin_read(request));
}

llvm::Error Copies::write(const wire::CopyWrite &request, Response &response) {
  llvm::Error error = begin_write(request);
  if (!is_far)
    return end(request.half, response, std::move(error));
  return error ? std::move(error) : buffer->finish(request.half);
}

llvm::Error Copies::finish(const wire::CopyFinish &request) {
  llvm::Error error = buffer->finish(request.half);
  const std::string why = std::exchange(why_failed[request.half], {});
  if (error || why.empty())
    return error;
  return failure(Reason::failed, "{0}", why);
}

} // namespace gpuexec::lending
