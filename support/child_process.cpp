//===-- support/child_process.cpp - Starts a child process ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/child_process.h"
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gpuexec {

/// The numbers of a child's descriptors are below this.
static constexpr int NUMBERS_END = 64;

static bool close_from(int first) {
  return ::syscall(SYS_close_range, unsigned(first), ~0u, 0) == 0;
}

/// Moves the descriptors to their numbers in the child, and closes the others.
/// False on failure.
static bool place(const ChildSettings &settings) {
  int moved[NUMBERS_END];
  size_t count = 0;
  // First copies all of them above the child's numbers: the number of one may
  // be the destination of another.
  for (const ChildDescriptor &each : settings.descriptors) {
    const int from =
        each.here < 0 ? ::open("/dev/null", O_RDWR | O_CLOEXEC) : each.here;
    if (count == NUMBERS_END ||
        (moved[count++] = ::fcntl(from, F_DUPFD_CLOEXEC, NUMBERS_END)) < 0)
      return false;
    if (each.here < 0)
      ::close(from);
  }
  uint64_t taken = 0;
  for (size_t i = 0; i < count; ++i) {
    const int there = settings.descriptors[i].there;
    if (there < 0 || there >= NUMBERS_END || ::dup2(moved[i], there) < 0)
      return false;
    taken |= uint64_t(1) << there;
  }
  for (size_t i = 0; i < count; ++i)
    ::close(moved[i]);
  if (!settings.closes_others)
    return true;
  for (int number = 0; number < NUMBERS_END; ++number)
    if (!(taken >> number & 1))
      ::close(number);
  return close_from(NUMBERS_END);
}

static bool set_up(const ChildSettings &settings, pid_t parent) {
  if (settings.signal_at_parents_end) {
    ::prctl(PR_SET_PDEATHSIG, settings.signal_at_parents_end);
    if (::getppid() != parent)
      return false;
  }
  if (settings.leaves_session)
    ::setsid();
  for (int signal : settings.default_signals)
    ::signal(signal, SIG_DFL);
  for (int signal : settings.ignored_signals)
    ::signal(signal, SIG_IGN);
  if (settings.unblocks_signals) {
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  }
  return place(settings);
}

pid_t fork_child(const ChildSettings &settings) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0 && !set_up(settings, parent))
    ::_exit(CHILD_FAILED);
  return child;
}

} // namespace gpuexec
