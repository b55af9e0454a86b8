//===-- emulator/cuda/driver/stream.cpp - See stream.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/stream.h"

namespace gpuexec::cuda {

uint64_t Stream::submit(std::vector<Position> after, Work work, When when) {
  std::lock_guard guard(mutex);
  if (!running) {
    auto self = shared_from_this();
    if (!thread.start([self] { self->run(); }, Thread::Signals::blocked))
      return 0;
    running = true;
  }
  tasks.push_back({std::move(after), std::move(work), when});
  changed.notify_all();
  return ++submitted;
}

uint64_t Stream::last() const {
  std::lock_guard guard(mutex);
  return submitted;
}

bool Stream::reached(uint64_t number) const {
  std::lock_guard guard(mutex);
  return completed >= number;
}

void Stream::wait(uint64_t number) const {
  std::unique_lock guard(mutex);
  changed.wait(guard, [&] { return completed >= number; });
}

void Stream::close() {
  std::lock_guard guard(mutex);
  closed = true;
  if (running)
    thread.detach();
  changed.notify_all();
}

void Stream::run() {
  std::unique_lock guard(mutex);
  while (true) {
    changed.wait(guard, [&] { return !tasks.empty() || closed; });
    if (tasks.empty())
      return;
    Task task = std::move(tasks.front());
    tasks.pop_front();
    guard.unlock();
    for (const Position &position : task.after)
      position.stream->wait(position.number);
    if (task.when == When::always || sticky->get() == CUDA_SUCCESS)
      if (CUresult error = task.work(dispatcher); error != CUDA_SUCCESS)
        sticky->set(error);
    task = {}; // what it holds is released before anybody is told
    guard.lock();
    ++completed;
    changed.notify_all();
  }
}

} // namespace gpuexec::cuda
