//===-- loader/apps/run/signals.cpp - See signals.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/run/signals.h"
#include "loader/apps/last_resort.h"
#include "loader/process/exit_result.h"
#include "llvm/ADT/STLExtras.h"
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

/// Signals that a program may have instead of gpuexec. The others tell of
/// faults of this process, cannot be caught, or have a meaning of their own
/// here.
constexpr int FOR_PROGRAMS[] = {
    SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,  SIGALRM, SIGCHLD,
    SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH, SIGIO,   SIGPWR};

int program_pipe[2] = {-1, -1}; // as signal_pipe, for the program's handlers
/// What was done with each signal before the program had an action for it.
struct sigaction before_program[NSIG];
std::atomic<bool> changed[NSIG];

void on_program_signal(int number) {
  const int error = errno;
  [[maybe_unused]] ssize_t written =
      ::write(program_pipe[1], &number, sizeof(number));
  errno = error;
}

class ProgramSource : public SignalSource {
public:
  int descriptor() const override { return program_pipe[0]; }

  bool use(int number, SignalUse what) override {
    if (!llvm::is_contained(FOR_PROGRAMS, number))
      return false;
    if (what == SignalUse::by_default) {
      if (changed[number].exchange(false))
        ::sigaction(number, &before_program[number], nullptr);
      return true;
    }
    struct sigaction action {};
    action.sa_handler =
        what == SignalUse::ignored ? SIG_IGN : on_program_signal;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    struct sigaction before {};
    if (::sigaction(number, &action, &before) != 0)
      return false;
    if (!changed[number].exchange(true))
      before_program[number] = before;
    return true;
  }

  /// The program computes and does not look: whoever asks again that it end is
  /// obeyed.
  void not_taken(int number) override {
    if (number == SIGINT || number == SIGTERM || number == SIGHUP ||
        number == SIGQUIT)
      note_signal(number);
  }
};

} // namespace

std::shared_ptr<SignalSource> program_signals() {
  if (::pipe2(program_pipe, O_CLOEXEC) != 0)
    return nullptr;
  return std::make_shared<ProgramSource>();
}

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
