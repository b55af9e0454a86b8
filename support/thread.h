//===-- support/thread.h - A thread, if there is one to be had --*- C++ -*-===//
// A system or a user may have no more threads to give. std::thread throws then,
// which ends a process that knows no exceptions; this one says so.
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
  /// Whether it may be the thread that a signal to the process interrupts. A
  /// library's threads leave that to its client's.
  enum class Signals { allowed, blocked };

  Thread() = default;
  Thread(Thread &&other) : id(other.id), started(other.started) {
    other.started = false;
  }

  /// Runs `work` in a thread of its own, which must be joined or left; false
  /// when there is none. Once.
  template <typename Work>
  bool start(Work work, Signals signals = Signals::allowed) {
    auto own = std::make_unique<Work>(std::move(work));
    auto run = [](void *data) -> void * {
      std::unique_ptr<Work> work(static_cast<Work *>(data));
      (*work)();
      return nullptr;
    };
    sigset_t all, before;
    if (signals == Signals::blocked) { // a new thread has its maker's mask
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

  /// It goes on by itself.
  void leave() {
    pthread_detach(id);
    started = false;
  }

private:
  pthread_t id = {};
  bool started = false;
};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_THREAD_H
