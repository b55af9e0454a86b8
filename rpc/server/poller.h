//===-- rpc/server/poller.h - Files that services wait for ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A service that would block (on a terminal, a pipe, a child process) adds a
// wait here, and its thread serves other ports. The poller has one thread,
// which starts with the first wait and sleeps in poll().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_POLLER_H
#define GPUEXEC_RPC_SERVER_POLLER_H

#include "support/descriptor.h"
#include "support/thread.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

namespace gpuexec::rpc {

class Poller {
public:
  using Clock = std::chrono::steady_clock;
  /// The function that the poller's thread calls when an entry is ready.
  using Ready = std::function<void(void *cookie)>;
  explicit Poller(Ready ready) : ready(std::move(ready)) {}
  ~Poller() { stop(); }

  /// Reports `cookie` once: when `fd` has one of `events` (those of poll(); for
  /// fd < 0 never) or at `deadline`. If the poller cannot get a thread or an
  /// eventfd, it reports after a millisecond: every waiter must check its file
  /// again.
  void add(int fd, short events, Clock::time_point deadline, void *cookie);
  /// Forgets the entries that wait to read, and returns their cookies. Entries
  /// without a file that are due within 10 ms stay.
  std::vector<void *> take_readers();
  /// Ends the thread; entries are dropped.
  void stop();

private:
  struct Entry {
    int fd;
    short events;
    Clock::time_point deadline;
    void *cookie;
  };
  bool begin(); // the mutex is held
  void run();
  void wake();

  Ready ready;
  std::mutex mutex;
  std::vector<Entry> entries;
  Thread thread;
  UniqueFd wake_fd;
  bool stopping = false;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_POLLER_H
