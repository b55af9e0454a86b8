//===-- loader/program/supervisor.cpp - Waiting for the end ---------------===//
#include "loader/program/supervisor.h"
#include "llvm/Support/ErrorHandling.h"
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace gpuexec {

enum : unsigned char { WORK_DONE = 'd', OUTCOME = 'o' };

Supervisor::Supervisor(int signal_fd) : signal_fd(signal_fd) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    llvm::report_fatal_error("cannot create a pipe");
  pipe_read = ends[0];
  pipe_write = ends[1];
}

Supervisor::~Supervisor() {
  if (worker.joinable()) {
    // The thread may still write to the pipe: both are left to the process.
    worker.detach();
    return;
  }
  ::close(pipe_read);
  ::close(pipe_write);
}

void Supervisor::post(unsigned char what) {
  while (::write(pipe_write, &what, 1) < 0 && errno == EINTR)
    ;
}

void Supervisor::start(std::function<void()> work) {
  worker = std::thread([this, work = std::move(work)] {
    work();
    post(WORK_DONE);
  });
}

void Supervisor::notify_outcome() { post(OUTCOME); }

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
    pollfd watched[] = {{pipe_read, POLLIN, 0},
                        {signal_seen ? -1 : signal_fd, POLLIN, 0}};
    if (::poll(watched, 2, milliseconds) <= 0)
      continue;
    if (watched[1].revents) {
      signal_seen = true;
      return Event::signal;
    }
    unsigned char what;
    if (::read(pipe_read, &what, 1) == 1)
      return what == OUTCOME ? Event::outcome : Event::finished;
  }
}

} // namespace gpuexec
