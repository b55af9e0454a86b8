//===-- rpc/server/completion.cpp - See completion.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/completion.h"
#include "rpc/server/port.h"
#include "rpc/server/worker_pool.h"

using namespace gpuexec::rpc;

void Completion::complete(int result) {
  std::lock_guard lock(mutex);
  if (value)
    return;
  value = result;
  if (wait)
    wait->port->pool().make_runnable(*wait);
  wait = nullptr;
  completed.notify_all();
}

std::optional<int> Completion::result() {
  std::lock_guard lock(mutex);
  return value;
}

void Completion::abandon() {
  std::unique_lock lock(mutex);
  wait = nullptr;
  completed.wait(lock, [this] { return value.has_value(); });
}

void Completion::continue_with(ExternalWait &waiting) {
  std::lock_guard lock(mutex);
  if (value)
    waiting.port->pool().make_runnable(waiting);
  else
    wait = &waiting;
}

void CompletionWait::await_suspend(std::coroutine_handle<> handle) {
  // Another thread may resume the service at once and destroy this object.
  const std::shared_ptr<Completion> kept = completion;
  hand_off(handle);
  kept->continue_with(*this);
}
