//===-- rpc/server/poller.cpp - Files that services wait for --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/poller.h"
#include "rpc/server/signals.h"
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::UniqueFd;

void Poller::add(int fd, short events, Clock::time_point deadline,
                 void *cookie) {
  {
    std::lock_guard lock(mutex);
    if (thread.joinable() || begin()) {
      entries.push_back({fd, events, deadline, cookie});
      wake();
      return;
    }
  }
  usleep(1000);
  ready(cookie);
}

bool Poller::begin() {
  if (!wake_fd)
    wake_fd = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  return wake_fd && thread.start([this] { run(); });
}

std::vector<void *> Poller::take_readers() {
  std::lock_guard lock(mutex);
  std::vector<void *> cookies;
  const auto soon = Clock::now() + std::chrono::milliseconds(10);
  std::erase_if(entries, [&](const Entry &entry) {
    const bool sleeps = entry.fd < 0 && entry.deadline <= soon;
    bool reads = !(entry.events & POLLOUT) && !sleeps;
    if (reads)
      cookies.push_back(entry.cookie);
    return reads;
  });
  return cookies;
}

void Poller::stop() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
    wake();
  }
  if (thread.joinable())
    thread.join();
  wake_fd.close();
  entries.clear();
}

void Poller::wake() {
  uint64_t one = 1;
  if (wake_fd)
    (void)!write(wake_fd.get(), &one, sizeof one);
}

void Poller::run() {
  block_signals();
  std::vector<pollfd> files;
  for (;;) {
    auto next = Clock::time_point::max();
    files.assign(1, {wake_fd.get(), POLLIN, 0});
    {
      std::lock_guard lock(mutex);
      if (stopping)
        return;
      for (const Entry &entry : entries) {
        files.push_back({entry.fd, entry.events, 0});
        next = std::min(next, entry.deadline);
      }
    }
    int timeout = -1;
    if (next != Clock::time_point::max()) {
      auto left =
          std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
      timeout = int(std::clamp<int64_t>(left.count(), 0, 1000));
    }
    // A wait that is interrupted is simply begun again.
    if (poll(files.data(), files.size(), timeout) < 0)
      continue;
    uint64_t count;
    while (read(wake_fd.get(), &count, sizeof count) > 0)
      ;
    auto now = Clock::now();
    std::vector<void *> cookies;
    {
      std::lock_guard lock(mutex);
      // Entries may have come and gone meanwhile: match by descriptor.
      std::erase_if(entries, [&](const Entry &entry) {
        bool due = entry.deadline <= now;
        for (const pollfd &file : files)
          due |= entry.fd >= 0 && file.fd == entry.fd && file.revents &&
                 ((file.revents & entry.events) ||
                  (file.revents & (POLLERR | POLLHUP | POLLNVAL)));
        if (due)
          cookies.push_back(entry.cookie);
        return due;
      });
    }
    for (void *cookie : cookies)
      ready(cookie);
  }
}
