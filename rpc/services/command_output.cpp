//===-- rpc/services/command_output.cpp - What commands print -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/command_output.h"
#include "rpc/server/port.h"
#include <sys/ioctl.h>

using namespace gpuexec::rpc;

//===-- One stream --------------------------------------------------------===//

bool CommandRelay::make_pipe() {
  return pipe.make() && fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK) == 0;
}

pollfd CommandRelay::next_wait() {
  std::lock_guard lock(mutex);
  if (pending.empty())
    return {pipe.read.get(), POLLIN, 0};
  return {to.descriptor(), POLLOUT, 0};
}

uint64_t CommandRelay::waiting() {
  std::lock_guard lock(mutex);
  int count = 0;
  if (pipe.read && ioctl(pipe.read.get(), FIONREAD, &count) != 0)
    count = 0;
  return pending.size() + uint64_t(count);
}

/// Reads up to `most` bytes into `pending`. False when the pipe is empty.
bool CommandRelay::fill(uint64_t most) {
  char bytes[16 << 10];
  const ssize_t count =
      ::read(pipe.read.get(), bytes, std::min<uint64_t>(most, sizeof bytes));
  if (count > 0)
    pending.assign(bytes, size_t(count));
  return count > 0;
}

bool CommandRelay::write_on(uint64_t &most) {
  std::lock_guard lock(mutex);
  while (most && (!pending.empty() || fill(most))) {
    const ssize_t count = to.try_write(pending.data(), pending.size());
    if (count < 0 && errno == EAGAIN)
      return false;
    if (count < 0) { // nobody reads the stream: commands get EPIPE, too
      pipe.read.close();
      pending.clear();
      break;
    }
    pending.erase(0, size_t(count));
    most -= std::min(most, uint64_t(count));
  }
  return true;
}

//===-- Both --------------------------------------------------------------===//

CommandOutput::CommandOutput(Journal *journal, int output, int error)
    : is_recorded(journal && !journal->replays()), relays{
                                                       {{journal, 1}, output},
                                                       {{journal, 2}, error}} {}

CommandOutput::~CommandOutput() {
  stop.write.close();
  if (thread.joinable())
    thread.join();
}

bool CommandOutput::begin() {
  if (begun)
    return true;
  begun = stop.make() && relays[0].make_pipe() && relays[1].make_pipe() &&
          thread.start([this] { run(); }, Thread::Signals::blocked);
  return begun;
}

void CommandOutput::run() {
  constexpr uint64_t AT_ONCE = 64 << 10; // others must get the lock
  for (;;) {
    pollfd files[] = {{stop.read.get(), POLLIN, 0},
                      relays[0].next_wait(),
                      relays[1].next_wait()};
    if (poll(files, std::size(files), -1) < 0)
      continue;
    if (files[0].revents)
      return;
    for (int i = 0; i < 2; ++i) {
      uint64_t most = AT_ONCE;
      if (files[i + 1].revents)
        relays[i].write_on(most);
    }
  }
}

int CommandOutput::descriptor(int stream) {
  CommandRelay &relay = relays[stream - 1];
  std::lock_guard lock(mutex);
  return is_recorded && begin() ? relay.descriptor() : relay.target();
}

Task<> CommandOutput::write_on(Port &port) {
  for (CommandRelay *relay = relays; begun && relay != std::end(relays);
       ++relay) {
    uint64_t left = relay->waiting();
    while (!relay->write_on(left))
      co_await port.wait_for(relay->target(), POLLOUT);
  }
}

void CommandOutput::write_on_now(Poller::Clock::time_point deadline) {
  for (CommandRelay *relay = relays; begun && relay != std::end(relays);
       ++relay) {
    uint64_t left = relay->waiting();
    while (!relay->write_on(left) && Poller::Clock::now() < deadline) {
      pollfd file = {relay->target(), POLLOUT, 0};
      poll(&file, 1, 20);
    }
  }
}
