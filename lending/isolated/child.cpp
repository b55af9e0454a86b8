//===-- lending/isolated/child.cpp - Inside the isolated process ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/child.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gpuexec::isolated {

static bool keep_only(const Descriptors &kept) {
  struct {
    int fd, number;
  } places[] = {{kept.error, STDERR_FILENO},
                {kept.control[0], CONTROL_FD},
                {kept.control[1], CONTROL_FD + 1},
                {kept.launches[0], LAUNCHES_FD},
                {kept.launches[1], LAUNCHES_FD + 1}};
  // Out of the way first: any of them may have a number that another gets.
  for (auto &place : places)
    if ((place.fd = ::fcntl(place.fd, F_DUPFD, DESCRIPTORS_END)) < 0)
      return false;
  for (auto &place : places)
    if (::dup2(place.fd, place.number) < 0)
      return false;
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  return ::syscall(SYS_close_range, DESCRIPTORS_END, ~0u, 0) == 0;
}

/// Overwrites the environment: what is not passed to the program must not be
/// found in the memory of the process that runs it either.
static void forget_environment() {
  std::vector<std::string> kept;
  for (char **entry = environ; entry && *entry; ++entry) {
    if (std::strncmp(*entry, "GPUEXEC_EMULATOR_", 17) == 0)
      kept.push_back(*entry);
    ::explicit_bzero(*entry, std::strlen(*entry));
  }
  ::clearenv();
  for (const std::string &entry : kept) {
    size_t equals = entry.find('=');
    ::setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
  }
}

bool become_isolated(pid_t parent, const Descriptors &descriptors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    return false; // it was gone before
  ::prctl(PR_SET_DUMPABLE, 0);
  // A terminal sends these to both processes: the parent decides.
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
    ::signal(signal, SIG_IGN);
  sigset_t none; // the monitor, whose copy this is, takes no signals
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  if (!keep_only(descriptors))
    return false;
  forget_environment();
  return true;
}

} // namespace gpuexec::isolated
