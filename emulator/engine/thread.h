//===-- emulator/engine/thread.h - A thread of our own ----------*- C++ -*-===//
// Takes no signals: they are for the client's own threads. A system or a user
// may have no more threads to give; std::thread throws then, which ends a
// process that knows no exceptions. This one says so.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_ENGINE_THREAD_H
#define GPUEXEC_EMULATOR_ENGINE_THREAD_H

#include <functional>
#include <pthread.h>

namespace gpuexec::emulator {

class Thread {
public:
  Thread() = default;
  Thread(Thread &&other) : id(other.id), started(other.started) {
    other.started = false;
  }
  Thread &operator=(Thread &&) = delete;

  /// Runs `work` in a new thread, which must be joined or left; false when
  /// there is none to be had. Once.
  bool start(std::function<void()> work);
  bool joinable() const { return started; }
  void join();
  /// It goes on by itself.
  void leave();
  bool is_current() const {
    return started && pthread_equal(id, pthread_self());
  }

private:
  pthread_t id = {};
  bool started = false;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_ENGINE_THREAD_H
