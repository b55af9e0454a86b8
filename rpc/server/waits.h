//===-- rpc/server/waits.h - Waits for anything but a packet ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `co_await port.wait_for(fd, POLLIN);` and the like: the port stays locked and
// belongs to whoever ends the wait, with WorkerPool::make_runnable().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_WAITS_H
#define GPUEXEC_RPC_SERVER_WAITS_H

#include "rpc/server/poller.h"
#include <coroutine>

namespace gpuexec::rpc {

class Port;

class ExternalWait {
public:
  explicit ExternalWait(Port &port) : port(&port) {}
  bool await_ready() { return false; }
  void await_resume() {}

  Port *port;
  std::coroutine_handle<> waiter;

protected:
  /// To be called before any other thread can see this object.
  void hand_off(std::coroutine_handle<> handle);
};

/// Until the file has one of `events` (poll's; fd < 0: never) or `deadline`.
class FileWait : public ExternalWait {
public:
  FileWait(Port &port, int fd, short events, Poller::Clock::time_point deadline)
      : ExternalWait(port), fd(fd), events(events), deadline(deadline) {}
  void await_suspend(std::coroutine_handle<> handle);

private:
  int fd;
  short events;
  Poller::Clock::time_point deadline;
};

/// Until a background thread has time.
class BackgroundWait : public ExternalWait {
public:
  using ExternalWait::ExternalWait;
  void await_suspend(std::coroutine_handle<> handle);
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_WAITS_H
