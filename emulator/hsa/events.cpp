//===-- emulator/hsa/events.cpp - What is to happen when a signal changes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/events.h"
#include "emulator/hsa/signal.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <pthread.h>

namespace gpuexec::emulator {

bool Events::watch(Signals &signals, hsa_signal_t signal,
                   std::function<bool(hsa_signal_value_t)> is_due,
                   std::function<bool(hsa_signal_value_t)> handler) {
  std::lock_guard guard(lock);
  if (quit)
    return true;
  if (!thread.joinable() && !thread.start([this, &signals] { run(signals); },
                                          Thread::Signals::blocked))
    return false;
  if (Signals::State *state = signals.state(signal))
    state->watchers.fetch_add(1);
  watches.push_back({signal, std::move(is_due), std::move(handler)});
  changed = true;
  wake.notify_one();
  return true;
}

void Events::must_watch(Signals &signals, hsa_signal_t signal,
                        std::function<bool(hsa_signal_value_t)> is_due,
                        std::function<bool(hsa_signal_value_t)> handler) {
  if (watch(signals, signal, std::move(is_due), std::move(handler)))
    return;
  fputs("gpuexec emulator: no thread to wait for a signal\n", stderr);
  abort();
}

void Events::when_zero(Signals &signals, std::vector<hsa_signal_t> awaited,
                       std::function<void()> task) {
  while (!awaited.empty() && !signals.state(awaited.back()))
    awaited.pop_back();
  if (awaited.empty()) {
    task();
    return;
  }
  hsa_signal_t last = awaited.back();
  auto rest = std::make_shared<std::vector<hsa_signal_t>>(std::move(awaited));
  rest->pop_back();
  must_watch(
      signals, last, [](hsa_signal_value_t value) { return value == 0; },
      [this, &signals, rest,
       task = std::move(task)](hsa_signal_value_t) mutable {
        when_zero(signals, std::move(*rest), std::move(task));
        return false;
      });
}

void Events::forget(hsa_signal_t signal) {
  std::lock_guard guard(lock);
  for (auto watch = watches.begin(); watch != watches.end();) {
    auto next = std::next(watch);
    if (watch->signal.handle == signal.handle) {
      watch->gone = true;
      if (!watch->busy)
        watches.erase(watch);
    }
    watch = next;
  }
}

void Events::notify() {
  std::lock_guard guard(lock);
  changed = true;
  wake.notify_one();
}

void Events::refuse() {
  std::lock_guard guard(lock);
  quit = true;
  wake.notify_one();
}

void Events::stop() {
  refuse();
  if (thread.joinable())
    thread.join();
  watches.clear();
}

void Events::run(Signals &signals) {
  pthread_setname_np(pthread_self(), "gpuexec-events");
  std::unique_lock guard(lock);
  while (!quit) {
    changed = false;
    // Handlers may add watches (at the end) and drop others: a list keeps the
    // rest in place.
    for (auto watch = watches.begin(); watch != watches.end() && !quit;) {
      hsa_signal_value_t now = 0;
      bool due = false;
      if (!watch->gone) {
        now = watch->signal.handle ? Signals::value(watch->signal).load() : 0;
        due = !watch->signal.handle || watch->is_due(now);
      }
      if (due) {
        watch->busy = true;
        guard.unlock();
        bool stays = watch->handler(now);
        guard.lock();
        watch->busy = false;
        if (!stays && !watch->gone) {
          watch->gone = true;
          if (Signals::State *state = signals.state(watch->signal))
            state->watchers.fetch_sub(1);
        }
        if (stays)
          changed =
              true; // if the condition still holds, the handler is called again
      }
      watch = watch->gone ? watches.erase(watch) : std::next(watch);
    }
    if (quit)
      break;
    if (changed) {
      guard.unlock();
      std::this_thread::yield();
      guard.lock();
    } else if (watches.empty()) {
      wake.wait(guard);
    } else {
      wake.wait_for(guard, std::chrono::milliseconds(Signals::POLL_MS));
    }
  }
}

} // namespace gpuexec::emulator
