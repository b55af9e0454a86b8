//===-- rpc/server/poller.h - Waits for files on behalf of ports -*- C++
//-*-===//
// A request that would block (a terminal, a pipe, a child process) is put aside
// here, and its server thread goes on with other ports. One thread, started at
// the first such request, sleeps in poll().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_POLLER_H
#define GPUEXEC_RPC_SERVER_POLLER_H

#include "support/thread.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

namespace gpuexec::rpc {

class Poller {
public:
  using Clock = std::chrono::steady_clock;
  /// What is called, from the poller's thread, when an entry is ready.
  using Ready = std::function<void(void *cookie)>;
  explicit Poller(Ready ready) : ready(std::move(ready)) {}
  ~Poller() { stop(); }

  /// Reports `cookie` once, when `fd` has one of `events` (poll's; fd < 0:
  /// never) or at `deadline`; a moment later where there is no thread or
  /// descriptor to be had for the wait: whoever waits asks again.
  void add(int fd, short events, Clock::time_point deadline, void *cookie);
  /// Forgets the entries that wait to read, and returns their cookies.
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
  bool begin(); // under the mutex
  void run();
  void wake();

  Ready ready;
  std::mutex mutex;
  std::vector<Entry> entries;
  Thread thread;
  int wake_fd = -1;
  bool stopping = false;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_POLLER_H
