//===-- loader/process/supervisor.cpp - Waiting for events ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/supervisor.h"
#include "support/failure.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace gpuexec {

struct Supervisor::Events : Pipe {
  void post(Event event) const {
    const char what = char(event);
    write_all(write.get(), {&what, 1});
  }
};

llvm::Expected<Supervisor> Supervisor::create(int signal_fd) {
  auto events = std::make_shared<Events>();
  if (!events->make())
    return failure(Reason::failed, "cannot create a pipe: {0}",
                   std::strerror(errno));
  return Supervisor(signal_fd, std::move(events));
}

Supervisor::~Supervisor() {
  if (worker.joinable())
    worker.detach();
}

llvm::Error Supervisor::start(std::function<void()> work) {
  if (worker.start([events = events, work = std::move(work)] {
        work();
        events->post(Event::finished);
      }))
    return llvm::Error::success();
  return failure(Reason::failed, "no thread to run it: {0}",
                 std::strerror(EAGAIN));
}

std::function<void()> Supervisor::notifier(Event event) const {
  return [events = events, event] { events->post(event); };
}

void Supervisor::join() { worker.join(); }

Event Supervisor::wait(std::optional<Clock::time_point> deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline -
                                                               Clock::now());
      if (left.count() <= 0)
        return Event::timed_out;
      // poll's own range; a longer wait goes around again.
      milliseconds = int(std::min<int64_t>(left.count(), 1000 * 1000 * 1000));
    }
    pollfd watched[] = {{events->read.get(), POLLIN, 0},
                        {signal_seen ? -1 : signal_fd, POLLIN, 0}};
    if (::poll(watched, 2, milliseconds) <= 0)
      continue;
    if (watched[1].revents) {
      if (::read(signal_fd, &number, sizeof(number)) != sizeof(number))
        number = SIGTERM;
      if (number == SIGQUIT)
        return Event::asked;
      signal_seen = true;
      return Event::signal;
    }
    unsigned char what;
    if (::read(events->read.get(), &what, 1) == 1)
      return Event(what);
  }
}

} // namespace gpuexec
