//===-- emulator/cuda/driver/context.cpp - See context.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/context.h"

namespace gpuexec::cuda {

Context::Context(const Hsa &hsa, Memory &memory, unsigned flags, uint64_t id)
    : hsa(hsa), memory(memory), services(std::make_shared<Services>(hsa)),
      id(id), flags(flags) {
  legacy_stream = std::make_shared<Stream>(hsa, sticky, 0, 0);
  legacy_stream->context = this;
  all.push_back(legacy_stream);
}

Context::~Context() {
  for (const auto &stream : streams()) {
    stream->wait();
    stream->close();
  }
  memory.free_all(this);
}

std::vector<std::shared_ptr<Stream>> Context::streams() {
  std::lock_guard guard(mutex);
  std::vector<std::shared_ptr<Stream>> alive;
  std::erase_if(all, [&](const std::weak_ptr<Stream> &weak) {
    if (auto stream = weak.lock()) {
      alive.push_back(std::move(stream));
      return false;
    }
    return true;
  });
  return alive;
}

std::shared_ptr<Stream> Context::make_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(hsa, sticky, flags, priority);
  stream->context = this;
  std::lock_guard guard(mutex);
  all.push_back(stream);
  return stream;
}

std::shared_ptr<Stream> Context::per_thread() {
  {
    std::lock_guard guard(mutex);
    if (auto found = thread_streams.find(pthread_self());
        found != thread_streams.end())
      return found->second;
  }
  auto stream = make_stream(0, 0);
  std::lock_guard guard(mutex);
  return thread_streams[pthread_self()] = stream;
}

uint64_t Context::submit(Stream &stream, Stream::Work work,
                         std::vector<Position> after, Stream::When when) {
  std::vector<std::shared_ptr<Stream>> others;
  if (&stream == legacy_stream.get())
    others = streams();
  else if (!(stream.flags & CU_STREAM_NON_BLOCKING))
    others.push_back(legacy_stream);
  // One submission after the other: all positions are of earlier work.
  std::lock_guard guard(mutex);
  for (auto &other : others)
    if (other.get() != &stream && !(other->flags & CU_STREAM_NON_BLOCKING))
      if (const uint64_t last = other->last(); !other->reached(last))
        after.push_back({std::move(other), last});
  return stream.submit(std::move(after), std::move(work), when);
}

CUresult Context::run(Stream &stream, Stream::Work work) {
  const uint64_t number = submit(stream, std::move(work));
  if (!number)
    return CUDA_ERROR_OUT_OF_MEMORY;
  stream.wait(number);
  return error();
}

CUresult Context::synchronize() {
  for (const auto &stream : streams())
    stream->wait();
  services->serve();
  return error();
}

bool Context::in_callback() {
  for (const auto &stream : streams())
    if (stream->is_current())
      return true;
  return false;
}

} // namespace gpuexec::cuda
