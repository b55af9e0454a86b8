//===-- loader/process/supervisor.cpp - Waiting for events ----------------===//
#include "loader/process/supervisor.h"
#include "loader/device/error.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace gpuexec {

struct Supervisor::Pipe {
  int read_end = -1, write_end = -1;
  ~Pipe() {
    for (int fd : {read_end, write_end})
      if (fd >= 0)
        ::close(fd);
  }
  void post(Event event) const {
    auto what = static_cast<unsigned char>(event);
    while (::write(write_end, &what, 1) < 0 && errno == EINTR)
      ;
  }
};

llvm::Expected<Supervisor> Supervisor::create(int signal_fd) {
  auto pipe = std::make_shared<Pipe>();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failure(Reason::failed, "cannot create a pipe: {0}",
                   std::strerror(errno));
  pipe->read_end = ends[0];
  pipe->write_end = ends[1];
  return Supervisor(signal_fd, std::move(pipe));
}

Supervisor::~Supervisor() {
  if (worker.joinable())
    worker.leave();
}

llvm::Error Supervisor::start(std::function<void()> work) {
  if (worker.start([pipe = pipe, work = std::move(work)] {
        work();
        pipe->post(Event::finished);
      }))
    return llvm::Error::success();
  return failure(Reason::failed, "no thread to run it: {0}",
                 std::strerror(EAGAIN));
}

std::function<void()> Supervisor::notifier(Event event) const {
  return [pipe = pipe, event] { pipe->post(event); };
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
    pollfd watched[] = {{pipe->read_end, POLLIN, 0},
                        {signal_seen ? -1 : signal_fd, POLLIN, 0}};
    if (::poll(watched, 2, milliseconds) <= 0)
      continue;
    if (watched[1].revents) {
      signal_seen = true;
      return Event::signal;
    }
    unsigned char what;
    if (::read(pipe->read_end, &what, 1) == 1)
      return Event(what);
  }
}

} // namespace gpuexec
