//===-- rpc/server/lock.h - A lock that services wait for -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A service may hold it while it waits for a file, so waiting for the lock must
// not block a thread: the service that waits is suspended. Services get the lock
// in the order in which they asked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_LOCK_H
#define GPUEXEC_RPC_SERVER_LOCK_H

#include "rpc/server/worker_pool.h"
#include <algorithm>

namespace gpuexec::rpc {

class ServiceLock {
public:
  /// Releases at the end of its scope, also when the service is dropped.
  class Guard {
  public:
    explicit Guard(ServiceLock *lock) : lock(lock) {}
    Guard(Guard &&other) noexcept : lock(std::exchange(other.lock, nullptr)) {}
    Guard &operator=(Guard &&other) noexcept {
      std::swap(lock, other.lock);
      return *this;
    }
    ~Guard() { release(); }
    void release() {
      if (lock)
        std::exchange(lock, nullptr)->unlock();
    }
    explicit operator bool() const { return lock; }

  private:
    ServiceLock *lock;
  };

  class Wait : public ExternalWait {
  public:
    Wait(ServiceLock &lock, Port &port) : ExternalWait(port), lock(lock) {}
    Wait(const Wait &) = delete;
    ~Wait() {
      if (!suspended)
        return;
      // Dropped while waiting, or after the lock came but before it was taken.
      std::unique_lock held(lock.mutex);
      if (queued)
        std::erase(lock.waiting, this);
      else if (granted) {
        held.unlock();
        lock.unlock();
      }
    }
    bool await_ready() { return lock.try_lock(); }
    bool await_suspend(std::coroutine_handle<> handle) {
      std::lock_guard held(lock.mutex);
      if (!lock.locked) {
        lock.locked = true;
        return false;
      }
      hand_off(handle);
      suspended = queued = true;
      lock.waiting.push_back(this);
      return true;
    }
    Guard await_resume() {
      granted = false;
      return Guard(&lock);
    }

  private:
    friend class ServiceLock;
    ServiceLock &lock;
    bool suspended = false, queued = false, granted = false;
  };
  /// `auto guard = co_await lock.acquire(port);`
  Wait acquire(Port &port) { return Wait(*this, port); }

  /// For a thread that serves no port (flush at the end).
  bool try_lock() {
    std::lock_guard held(mutex);
    return !std::exchange(locked, true);
  }
  void unlock() {
    std::lock_guard held(mutex);
    if (waiting.empty()) {
      locked = false;
      return;
    }
    Wait *next = waiting.front();
    waiting.pop_front();
    next->queued = false;
    next->granted = true; // the lock passes on without being free
    next->port->pool().make_runnable(*next);
  }

private:
  std::mutex mutex;
  bool locked = false;
  std::deque<Wait *> waiting;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_LOCK_H
