//===-- lending/isolated/child.cpp - Inside the isolated process ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/child.h"
#include "support/child_process.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

namespace gpuexec::isolated {

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

pid_t fork_isolated(const Descriptors &descriptors) {
  const ChildDescriptor places[] = {{descriptors.error, STDERR_FILENO},
                                    {descriptors.control[0], CONTROL_FD},
                                    {descriptors.control[1], CONTROL_FD + 1},
                                    {descriptors.launches[0], LAUNCHES_FD},
                                    {descriptors.launches[1], LAUNCHES_FD + 1}};
  // A terminal sends these to both processes: the parent decides.
  const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  ChildSettings settings;
  settings.descriptors = places;
  settings.signal_at_parents_end = SIGKILL;
  settings.ignored_signals = ignored;
  const pid_t child = fork_child(settings);
  if (child == 0) {
    ::prctl(PR_SET_DUMPABLE, 0);
    forget_environment();
  }
  return child;
}

} // namespace gpuexec::isolated
