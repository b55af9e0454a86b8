//===-- lending/peer/copies.cpp - Large copies for a client ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/copies.h"

namespace gpuexec::serve {

using remote::Reader;
using remote::Response;

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

namespace {

/// Of a request to read.
struct Part {
  uint64_t offset; ///< in the half
  DeviceAddress from;
  uint64_t size;
};

} // namespace

static llvm::Expected<Part> take_part(Reader &parts, uint64_t half_size) {
  const Part part = parts.take<Part>();
  if (!parts.ok() || part.offset > half_size ||
      part.size > half_size - part.offset || !part.size)
    return nonsense();
  return part;
}

llvm::Error Copies::begin_read(unsigned half, Reader parts) {
  while (!parts.done()) {
    llvm::Expected<Part> part = take_part(parts, half_size);
    if (!part)
      return part.takeError();
    if (llvm::Error error =
            buffer->start_read(half, part->offset, part->from, part->size))
      return error;
  }
  return llvm::Error::success();
}

/// What was copied is on its way while the rest is copied.
llvm::Error Copies::read_and_carry(unsigned half, Reader parts,
                                   const Response &reply) {
  constexpr uint64_t STEP = 256 * 1024;
  while (!parts.done()) {
    llvm::Expected<Part> part = take_part(parts, half_size);
    if (!part)
      return part.takeError();
    for (uint64_t at = 0; at < part->size; at += STEP) {
      const uint64_t offset = part->offset + at,
                     size = std::min(STEP, part->size - at);
      if (llvm::Error error =
              buffer->start_read(half, offset, part->from + at, size))
        return error;
      buffer->no_more(half);
      if (llvm::Error error = buffer->finish(half))
        return error;
      if (reply.carry)
        reply.carry(address + half * half_size + offset, size);
    }
  }
  return llvm::Error::success();
}

llvm::Error Copies::begin_write(unsigned half, Reader body) {
  const DeviceAddress to = body.take<DeviceAddress>();
  const uint64_t size = body.take<uint64_t>();
  if (!body.done() || size > half_size || !size)
    return nonsense();
  return buffer->start_write(half, to, size);
}

/// A client of this machine does not wait for a reply: it sees the end word, or
/// asks. `error`: of what was begun.
llvm::Error Copies::end(unsigned half, Response &reply, llvm::Error error) {
  reply.is_silent = true;
  if (error)
    why_failed[half] = llvm::toString(std::move(error));
  else
    buffer->no_more(half);
  return llvm::Error::success();
}

llvm::Error Copies::read(Reader body, Response &reply) {
  const uint32_t half = body.take<uint32_t>();
  if (half > 1)
    return nonsense();
  return is_far ? read_and_carry(half, body, reply)
                : end(half, reply, begin_read(half, body));
}

llvm::Error Copies::write(Reader body, Response &reply) {
  const uint32_t half = body.take<uint32_t>();
  if (half > 1)
    return nonsense();
  llvm::Error error = begin_write(half, body);
  if (!is_far)
    return end(half, reply, std::move(error));
  return error ? std::move(error) : buffer->finish(half);
}

llvm::Error Copies::finish(Reader body) {
  const uint32_t half = body.take<uint32_t>();
  if (!body.done() || half > 1)
    return nonsense();
  llvm::Error error = buffer->finish(half);
  const std::string why = std::exchange(why_failed[half], {});
  if (error || why.empty())
    return error;
  return failure(Reason::failed, "{0}", why);
}

} // namespace gpuexec::serve
