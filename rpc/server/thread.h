//===-- rpc/server/thread.h - A thread, if there is one to be had -*- C++ -*-=//
// A system or a user may have no more threads to give. std::thread throws then,
// which ends a process that knows no exceptions; this one says so.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_THREAD_H
#define GPUEXEC_RPC_SERVER_THREAD_H

#include <memory>
#include <pthread.h>

namespace gpuexec::rpc {

class Thread {
public:
  Thread() = default;
  Thread(Thread &&other) : id(other.id), started(other.started) {
    other.started = false;
  }

  /// Runs `work` in a thread of its own, which must be joined or left; false
  /// when there is none.
  template <typename Work> bool start(Work work) {
    auto own = std::make_unique<Work>(std::move(work));
    auto run = [](void *data) -> void * {
      std::unique_ptr<Work> work(static_cast<Work *>(data));
      (*work)();
      return nullptr;
    };
    started = pthread_create(&id, nullptr, run, own.get()) == 0;
    if (started)
      (void)own.release();
    return started;
  }
  bool joinable() const { return started; }
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

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_THREAD_H
