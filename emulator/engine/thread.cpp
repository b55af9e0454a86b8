//===-- emulator/engine/thread.cpp - A thread of our own ------------------===//
#include "emulator/engine/thread.h"

#include <memory>
#include <signal.h>

namespace gpuexec::emulator {

bool Thread::start(std::function<void()> work) {
  auto own = std::make_unique<std::function<void()>>(std::move(work));
  auto run = [](void *data) -> void * {
    std::unique_ptr<std::function<void()>> work(
        static_cast<std::function<void()> *>(data));
    (*work)();
    return nullptr;
  };
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  started = pthread_create(&id, nullptr, run, own.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (started)
    (void)own.release();
  return started;
}

void Thread::join() {
  pthread_join(id, nullptr);
  started = false;
}

void Thread::leave() {
  pthread_detach(id);
  started = false;
}

} // namespace gpuexec::emulator
