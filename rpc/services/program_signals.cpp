//===-- rpc/services/program_signals.cpp - Signals from outside -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/program_signals.h"
#include "rpc/services/system_calls.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace gpuexec::rpc {

static uint64_t bit_of(int number) { return uint64_t(1) << (number - 1); }

ProgramSignals::ProgramSignals(std::shared_ptr<SignalSource> source,
                               std::function<void()> interrupt)
    : source(std::move(source)), end_waits(std::move(interrupt)),
      poller([this](void *timer) {
        if (!timer)
          return read();
        --wakes;
        this->interrupt();
      }) {}

ProgramSignals::~ProgramSignals() {
  poller.stop();
  for (int number = 1; source && number <= 64; ++number)
    if (used & bit_of(number))
      source->use(number, SignalUse::by_default);
}

int ProgramSignals::use(int number, SignalUse what) {
  if (!source)
    return ENOSYS;
  if (number < 1 || number > 64 || !source->use(number, what))
    return EINVAL;
  used |= bit_of(number);
  if (what == SignalUse::handled)
    std::call_once(listens, [this] { listen(); });
  else
    pending &= ~bit_of(number);
  return 0;
}

void ProgramSignals::listen() {
  poller.add(source->descriptor(), POLLIN, Poller::Clock::time_point::max(),
             nullptr);
}

/// In the poller's thread: a signal has come.
void ProgramSignals::read() {
  pollfd file = {source->descriptor(), POLLIN, 0};
  int number;
  while (::poll(&file, 1, 0) > 0 &&
         ::read(file.fd, &number, sizeof number) == sizeof number) {
    if (number < 1 || number > 64)
      continue;
    // The program computes, or hangs.
    constexpr uint8_t MOST_UNTAKEN = 2;
    if (++untaken[number] > MOST_UNTAKEN) {
      untaken[number] = 0;
      source->not_taken(number);
    }
    pending |= bit_of(number);
    __atomic_fetch_add(arrived, 1, __ATOMIC_RELEASE);
    interrupt();
  }
  listen();
}

uint64_t ProgramSignals::take() {
  for (std::atomic<uint8_t> &count : untaken)
    count = 0;
  return pending.exchange(0);
}

void ProgramSignals::wake_after(std::chrono::nanoseconds delay) {
  constexpr int MOST = 256; // bounds what a hostile program can queue
  if (++wakes > MOST)
    --wakes;
  else
    poller.add(-1, 0, Poller::Clock::now() + delay, &wakes);
}

void ProgramSignals::interrupt() {
  constexpr auto SHORTLY = std::chrono::milliseconds(20);
  just_interrupted = Poller::Clock::now() + SHORTLY;
  ++count;
  end_waits();
}

} // namespace gpuexec::rpc

using namespace gpuexec::rpc;

namespace {

SystemResult use_signal(Services &services, const SystemCall &call) {
  if (call.a > 64 || call.b > uint64_t(SignalUse::handled))
    return Result::failure(EINVAL);
  return Result::of(services.signals.use(int(call.a), SignalUse(call.b)));
}

SystemResult take_signals(Services &services, const SystemCall &) {
  return int64_t(services.signals.take());
}

SystemResult wake_calls(Services &services, const SystemCall &call) {
  constexpr uint64_t CENTURY = uint64_t(100) * 366 * 86400 * 1000000000;
  services.signals.wake_after(
      std::chrono::nanoseconds(std::min(call.a, CENTURY)));
  return 0;
}

SystemResult interrupt_calls(Services &services, const SystemCall &) {
  services.signals.interrupt();
  return 0;
}

} // namespace

RPC_SERVE_SYSTEM_CALL(USE_SIGNAL, use_signal)
RPC_SERVE_SYSTEM_CALL(TAKE_SIGNALS, take_signals)
RPC_SERVE_SYSTEM_CALL(INTERRUPT, interrupt_calls)
RPC_SERVE_SYSTEM_CALL(WAKE, wake_calls)
