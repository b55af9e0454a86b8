//===-- rpc/server/poller.cpp - Files that services wait for --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/poller.h"
#include "rpc/server/signals.h"
#include <algorithm>
#include <cerrno>
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

/// One entry for each descriptor, in the order of the descriptors. The kernel
/// refuses more entries than RLIMIT_NOFILE, and thousands of waves may wait for
/// one file.
static void merge(std::vector<pollfd> &files) {
  std::sort(files.begin(), files.end(),
            [](const pollfd &a, const pollfd &b) { return a.fd < b.fd; });
  size_t kept = 0;
  for (const pollfd &file : files)
    if (kept && files[kept - 1].fd == file.fd)
      files[kept - 1].events |= file.events;
    else
      files[kept++] = file;
  files.resize(kept);
}

/// What poll() found for a descriptor; 0 when poll() was not asked about it.
static short found_for(const std::vector<pollfd> &files, int fd) {
  auto file =
      std::lower_bound(files.begin(), files.end(), fd,
                       [](const pollfd &a, int fd) { return a.fd < fd; });
  return file != files.end() && file->fd == fd ? file->revents : 0;
}

/// Waits until a file has one of its events or a deadline has passed. False
/// when the kernel refuses to wait for the files: then nothing is known of
/// them.
static bool wait_for(std::vector<pollfd> &files, Poller::Clock::time_point next,
                     int wake_fd) {
  // So long at most, so that a clock that is set back delays nothing for ever;
  // and a millisecond between two looks at files that poll() refuses.
  constexpr int LONGEST = 1000, REFUSED = 1;
  int timeout = -1;
  if (next != Poller::Clock::time_point::max()) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(
        next - Poller::Clock::now());
    timeout = int(std::clamp<int64_t>(left.count(), 0, LONGEST));
  }
  if (poll(files.data(), files.size(), timeout) >= 0)
    return true;
  for (pollfd &file : files)
    file.revents = 0;
  if (errno == EINTR)
    return true;
  pollfd wake = {wake_fd, POLLIN, 0};
  poll(&wake, 1, REFUSED);
  return false;
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
        if (entry.fd >= 0)
          files.push_back({entry.fd, entry.events, 0});
        next = std::min(next, entry.deadline);
      }
    }
    merge(files);
    const bool known = wait_for(files, next, wake_fd.get());
    uint64_t count;
    while (read(wake_fd.get(), &count, sizeof count) > 0)
      ;
    auto now = Clock::now();
    std::vector<void *> cookies;
    {
      std::lock_guard lock(mutex);
      // Entries may have come and gone meanwhile: match by descriptor. A waiter
      // checks its file again, so it may be told too early.
      std::erase_if(entries, [&](const Entry &entry) {
        const bool due =
            entry.deadline <= now ||
            (entry.fd >= 0 &&
             (!known || (found_for(files, entry.fd) &
                         (entry.events | POLLERR | POLLHUP | POLLNVAL))));
        if (due)
          cookies.push_back(entry.cookie);
        return due;
      });
    }
    for (void *cookie : cookies)
      ready(cookie);
  }
}
