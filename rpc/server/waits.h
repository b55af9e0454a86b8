//===-- rpc/server/waits.h - Waits for anything but a packet ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `co_await port.wait_for(fd, POLLIN);` and similar waits. The port stays
// locked while it waits; the thread that ends the wait calls
// WorkerPool::make_runnable().
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
  /// Tells the port's thread that another thread may resume the service. Call
  /// it before any other thread can see this object.
  void hand_off(std::coroutine_handle<> handle);
};

/// Waits until the file has one of `events` (those of poll(); for fd < 0 never)
/// or until `deadline`.
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

/// Waits until a background thread is free, which then runs the service.
class BackgroundWait : public ExternalWait {
public:
  using ExternalWait::ExternalWait;
  void await_suspend(std::coroutine_handle<> handle);
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_WAITS_H
