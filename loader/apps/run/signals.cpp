//===-- loader/apps/run/signals.cpp - See signals.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/run/signals.h"
#include "loader/apps/last_resort.h"
#include "loader/process/exit_result.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace gpuexec {
namespace {

/// Where signals are written as 4-byte numbers; what a handler may do is
/// little.
int signal_pipe[2] = {-1, -1};
std::atomic<int64_t> first_signal_ms{0};  // when it came; 0: none has
std::atomic<int64_t> last_question_ms{0}; // when it came; 0: none has
/// timeout(1) signals the process and then its group; both are one request.
constexpr int64_t SAME_REQUEST_MS = 300;

/// Never 0.
int64_t now_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000 + time.tv_nsec / 1000000 + 1;
}

void note_signal(int number) {
  const int error = errno;
  [[maybe_unused]] ssize_t written =
      ::write(signal_pipe[1], &number, sizeof(number));
  errno = error;
}

/// SIGQUIT: somebody asks where the program is.
void on_question(int number) {
  const int64_t now = now_ms(), last = last_question_ms.exchange(now);
  if (!last || now - last > SAME_REQUEST_MS)
    note_signal(number);
}

void on_signal(int number) {
  int64_t first = 0;
  const int64_t now = now_ms();
  if (!first_signal_ms.compare_exchange_strong(first, now)) {
    // Whoever asks twice is not made to wait for anything.
    if (now - first > SAME_REQUEST_MS)
      ::_exit(status::signalled(number));
    return;
  }
  note_signal(number);
}

} // namespace

int catch_signals() {
  if (::pipe2(signal_pipe, O_CLOEXEC) != 0)
    return -1; // the defaults still end us
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 ||
        action.sa_handler == SIG_IGN)
      continue;
    action.sa_handler = number == SIGQUIT ? on_question : on_signal;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
  }
  set_last_resort_pipe(signal_pipe[1]);
  return signal_pipe[0];
}

} // namespace gpuexec
