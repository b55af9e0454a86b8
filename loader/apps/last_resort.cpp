//===-- loader/apps/last_resort.cpp - When gpuexec itself fails ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file and main.cpp are the only ones that end the process. The code runs
// when memory is corrupt or used up, and in signal handlers: it allocates
// nothing and takes no lock.
#include "loader/apps/last_resort.h"
#include "loader/process/exit_result.h"
#include "support/out_of_memory.h"
#include "support/run_again.h"
#include <atomic>
#include <csignal>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

namespace gpuexec {
namespace {

/// Longer than process.cpp waits while output is flushed.
constexpr int LONGEST_END_MS = 2000;
/// Released before flushing, which needs a thread's stack and copies of output.
constexpr size_t RESERVE = 24 << 20;

// Written before other threads start.
int own_status = 125, failure_pipe = -1;
pid_t own_process = 0, waiting_thread = 0;
void *reserve = nullptr;
std::atomic<bool> failing{false};
char **own_arguments = nullptr;
sigset_t own_mask;

// See support/run_again.h; the thread that sets them waits for the library.
bool may_run_again = false;
std::atomic<const char *> again_with{nullptr};
const char *again_why = nullptr;

/// A fatal error of LLVM's may have names of an image in it: what is no plain
/// character becomes a question mark.
void say(const char *text) {
  while (*text) {
    char part[256];
    size_t size = 0;
    for (; *text && size < sizeof part; ++text)
      part[size++] =
          (*text < ' ' && *text != '\n') || *text > '~' ? '?' : *text;
    [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, part, size);
  }
}

/// Returns only if that cannot be done.
void run_again(const char *assignment) {
  constexpr size_t MOST_VARIABLES = 4096;
  static char *variables[MOST_VARIABLES + 2];
  // First: of two variables of a name the first counts.
  variables[0] = const_cast<char *>(assignment);
  size_t count = 1;
  for (char **each = environ; each && *each; ++each) {
    if (count > MOST_VARIABLES)
      return;
    variables[count++] = *each;
  }
  say("gpuexec: warning: ");
  say(again_why);
  say("\n");
  ::pthread_sigmask(SIG_SETMASK, &own_mask, nullptr);
  ::execve("/proc/self/exe", own_arguments, variables);
}

[[maybe_unused]] void on_crash(int number) {
  if (::getpid() != own_process) { // a child: its parent expects the signal
    ::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  if (const char *assignment = again_with.exchange(nullptr);
      assignment && may_run_again)
    run_again(assignment);
  char text[] = "internal error: signal 00";
  text[sizeof(text) - 3] = char('0' + number / 10 % 10);
  text[sizeof(text) - 2] = char('0' + number % 10);
  gpuexec_own_failure(text);
}

} // namespace

void prepare_last_resort(int status, char **arguments) {
  own_status = status;
  own_arguments = arguments;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &own_mask);
  own_process = ::getpid();
  waiting_thread = ::gettid();
  reserve = ::mmap(nullptr, RESERVE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  catch_llvm_failures();
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 ||
        action.sa_handler != SIG_DFL)
      continue;
    action.sa_handler = on_crash;
    action.sa_flags = SA_NODEFER; // a crash in the handler must not hang
    ::sigaction(number, &action, nullptr);
  }
#endif
}

void set_last_resort_pipe(int write_end) { failure_pipe = write_end; }

void permit_run_again() { may_run_again = true; }

} // namespace gpuexec

using namespace gpuexec;

void gpuexec_run_again_on_crash(const char *assignment, const char *why) {
  again_why = why;
  again_with = assignment;
}

void gpuexec_own_failure(const char *what) {
  if (::getpid() != own_process) {
    say("gpuexec: error: ");
    say(what);
    say("\n");
    ::_exit(own_status);
  }
  if (failing.exchange(true)) {
    if (::gettid() == waiting_thread || failure_pipe < 0)
      ::_exit(own_status); // no other thread will end it
    for (;;)
      ::poll(nullptr, 0, -1);
  }
  if (reserve && reserve != MAP_FAILED)
    ::munmap(reserve, RESERVE);
  say("gpuexec: error: ");
  say(what);
  say("\n");
  if (::gettid() != waiting_thread && failure_pipe >= 0 &&
      ::write(failure_pipe, &own_failure_number, sizeof(own_failure_number)) ==
          sizeof(own_failure_number))
    ::poll(nullptr, 0, LONGEST_END_MS);
  ::_exit(own_status);
}
