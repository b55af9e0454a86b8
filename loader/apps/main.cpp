//===-- loader/apps/main.cpp - gpuexec ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the command that the first word names, or runs a program that was
// compiled for a GPU. With last_resort.cpp and run/signals.cpp the only file
// that ends the process.
//===----------------------------------------------------------------------===//
#include "loader/apps/apps.h"
#include "loader/apps/last_resort.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/standard_streams.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

using namespace gpuexec;

namespace {

/// A standard stream that was closed before we were started must not become
/// another file of ours: it is opened so that reading or writing it fails.
void keep_closed_streams_closed() {
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF)
      ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

[[noreturn]] void end(const ExitResult &result,
                      const Personality &personality) {
  int status =
      result.ours ? personality.failure_status(result.status) : result.status;
  // What a command has printed must have been written for a status of 0.
  if (!finish_standard_streams(personality.command) && !status)
    status = personality.failure_status(status::Failed);
  if (result.signal) {
    // Ended by a signal, so that shells and make know to stop too.
    ::signal(result.signal, SIG_DFL);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, result.signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(result.signal);
  }
  // Kernels and server threads may still run: no destructor may wait for them.
  if (!result.clean)
    ::_exit(status);
  std::exit(status);
}

/// When this process was started, as far as the CPU is concerned: loading,
/// dynamic linking and static initialisers come before main.
Phases::Clock::time_point process_start() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return Phases::Clock::now() - std::chrono::seconds(used.tv_sec) -
         std::chrono::nanoseconds(used.tv_nsec);
}

} // namespace

int main(int argc, char **argv) {
  keep_closed_streams_closed();
  auto phases = std::make_shared<Phases>(process_start());
  phases->done("process");
  const Personality personality =
      Personality::from_command(argc > 0 ? argv[0] : "");
  colour_messages(Colour::automatic);
  prepare_last_resort(personality.failure_status(status::Failed), argv);
  const Command *command =
      argc > 1 && !personality.llvm ? find_command(argv[1]) : nullptr;
  const Call call{personality, command,
                  llvm::ArrayRef<char *>(argv + (command ? 2 : 1),
                                         argv + std::max(argc, 1)),
                  std::move(phases)};
  if (print_completions(llvm::outs(), call))
    end(call.end(llvm::Error::success()), personality);
  end((command ? command->app : apps::run).run(call), personality);
}
