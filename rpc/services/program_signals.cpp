//===-- rpc/services/program_signals.cpp - Signals from outside -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/program_signals.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace gpuexec::rpc {

static uint64_t bit_of(int number) { return uint64_t(1) << (number - 1); }

ProgramSignals::ProgramSignals(std::shared_ptr<SignalSource> source,
                               std::function<void()> interrupt)
    : source(std::move(source)), end_waits(std::move(interrupt)),
      poller([this](void *) { read(); }) {}

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
    // One that the program has not looked at: it computes, or hangs.
    if (pending & bit_of(number))
      source->not_taken(number);
    pending |= bit_of(number);
    __atomic_fetch_add(arrived, 1, __ATOMIC_RELEASE);
    interrupt();
  }
  listen();
}

void ProgramSignals::interrupt() {
  ++count;
  end_waits();
}

} // namespace gpuexec::rpc
