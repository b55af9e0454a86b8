//===-- support/thread.h - A thread that may fail to start ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the system or the user may start no more threads, std::thread throws,
// which ends a process compiled without exceptions. This class returns false.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_THREAD_H
#define GPUEXEC_SUPPORT_THREAD_H

#include <memory>
#include <pthread.h>
#include <signal.h>
#include <utility>

namespace gpuexec {

class Thread {
public:
  /// Whether the thread may receive signals that are sent to the process.
  /// Threads of a library block them, so that its client's threads get them.
  enum class Signals { allowed, blocked };

  Thread() = default;
  Thread(Thread &&other) : id(other.id), started(other.started) {
    other.started = false;
  }

  /// Runs `work` in a new thread, or returns false when none can be started.
  /// A started thread must be joined or detached. Call once per object.
  template <typename Work>
  bool start(Work work, Signals signals = Signals::allowed) {
    auto own = std::make_unique<Work>(std::move(work));
    auto run = [](void *data) -> void * {
      std::unique_ptr<Work> work(static_cast<Work *>(data));
      (*work)();
      return nullptr;
    };
    sigset_t all, before;
    if (signals == Signals::blocked) { // a new thread inherits the mask
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    started = pthread_create(&id, nullptr, run, own.get()) == 0;
    if (signals == Signals::blocked)
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (started)
      (void)own.release();
    return started;
  }
  bool joinable() const { return started; }
  bool is_current() const {
    return started && pthread_equal(id, pthread_self());
  }
  void join() {
    pthread_join(id, nullptr);
    started = false;
  }

  /// The thread runs on and cannot be joined.
  void detach() {
    pthread_detach(id);
    started = false;
  }

private:
  pthread_t id = {};
  bool started = false;
};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_THREAD_H
