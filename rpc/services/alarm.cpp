//===-- rpc/services/alarm.cpp - alarm() and setitimer() ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device runs a handler of SIGALRM by itself; the host is asked only for
// the default action.
//===----------------------------------------------------------------------===//
#include "rpc/services/alarm.h"
#include "rpc/services/serve.h"
#include <signal.h>

using namespace gpuexec::rpc;

Alarm::Alarm(OutcomeRecord &outcome)
    : outcome(outcome), poller([this](void *cookie) { expired(cookie); }) {}

void Alarm::set(std::chrono::nanoseconds delay) {
  uintptr_t mine;
  const auto when = Poller::Clock::now() + delay;
  {
    std::lock_guard lock(mutex);
    mine = ++order;
    is_set = delay.count() > 0;
    deadline = when;
  }
  if (delay.count() > 0)
    poller.add(-1, 0, when, reinterpret_cast<void *>(mine));
}

void Alarm::expired(void *cookie) {
  std::lock_guard lock(mutex);
  // The poller reports too early when it has no thread to wait with.
  if (is_set && reinterpret_cast<uintptr_t>(cookie) == order &&
      Poller::Clock::now() >= deadline)
    outcome.finish({Outcome::Kind::exit, 128 + SIGALRM});
}

namespace {

Result set_alarm(Services &services, uint64_t delay_ns) {
  // A century is as good as never, and no sum of times overflows.
  constexpr uint64_t CENTURY = uint64_t(100) * 366 * 86400 * 1000000000;
  services.alarm.set(std::chrono::nanoseconds(std::min(delay_ns, CENTURY)));
  return 0;
}

} // namespace

RPC_SERVE(ALARM, set_alarm)
