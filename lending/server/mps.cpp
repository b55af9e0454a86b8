//===-- lending/server/mps.cpp - NVIDIA's Multi-Process Service -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/mps.h"
#include "lending/wire/shared_memory.h"
#include "support/child_process.h"
#include "support/failure.h"
#include "support/find_program.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gpuexec::serve {

static constexpr char DAEMON[] = "nvidia-cuda-mps-control";
/// How long the service may take to start, and to end after SIGTERM.
static constexpr std::chrono::seconds START_TIMEOUT(5);
static constexpr std::chrono::milliseconds END_TIMEOUT(500), PAUSE(5);

/// Calls `is_done` until it returns true, or the time is over.
template <typename Condition>
static bool wait_until(Condition is_done, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!is_done()) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    std::this_thread::sleep_for(PAUSE);
  }
  return true;
}

std::vector<std::string> Mps::environment() const {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry)
    if (!llvm::StringRef(*entry).starts_with("CUDA_MPS_"))
      all.push_back(*entry);
  all.push_back("CUDA_MPS_PIPE_DIRECTORY=" + folder);
  all.push_back("CUDA_MPS_LOG_DIRECTORY=" + folder);
  return all;
}

namespace {

/// What the service that the environment names answers to a command; nothing
/// when it is not there or takes too long.
std::optional<std::string> ask(char *const *environment, std::string command) {
  llvm::ErrorOr<std::string> program = find_our_program(DAEMON);
  Pipe question, answer;
  if (!program || !question.make() || !answer.make())
    return std::nullopt;
  const ChildDescriptor places[] = {{question.read.get(), STDIN_FILENO},
                                    {answer.write.get(), STDOUT_FILENO},
                                    {-1, STDERR_FILENO}};
  char *arguments[] = {program->data(), nullptr};
  ChildSettings settings;
  settings.descriptors = places;
  const pid_t process = fork_child(settings);
  if (process == 0) {
    ::execve(program->c_str(), arguments, environment);
    ::_exit(CHILD_FAILED);
  }
  if (process < 0)
    return std::nullopt;
  answer.write.close();
  write_all(question.write.get(), command + "\n");
  question.write.close();
  std::string text;
  pollfd readable{answer.read.get(), POLLIN, 0};
  ssize_t got = -1;
  char buffer[512];
  while (::poll(&readable, 1, int(END_TIMEOUT.count())) > 0 &&
         (got = ::read(answer.read.get(), buffer, sizeof(buffer))) > 0)
    text.append(buffer, size_t(got));
  if (got != 0)
    ::kill(process, SIGKILL); // not reaped: the number is still its own
  ::waitpid(process, nullptr, 0);
  return got == 0 ? std::optional(text) : std::nullopt;
}

} // namespace

bool end_mps_client(char *const *environment, pid_t client) {
  std::optional<std::string> servers = ask(environment, "get_server_list");
  unsigned server = 0;
  if (!servers ||
      llvm::StringRef(*servers).trim().split('\n').first.getAsInteger(10,
                                                                      server))
    return false;
  return ask(environment, "terminate_client " + std::to_string(server) + " " +
                              std::to_string(client))
      .has_value();
}

bool Mps::end(pid_t client) const {
  return end_mps_client(Environment(environment()).pointers.data(), client);
}

llvm::Expected<std::shared_ptr<Mps>> Mps::start(unsigned most,
                                                unsigned suspicion) {
  std::shared_ptr<Mps> service(new Mps(most, suspicion));
  if (llvm::Error error = service->launch())
    return std::move(error);
  const size_t size = size_t(::sysconf(_SC_PAGESIZE));
  service->file = wire::sealed_memory("gpuexec-together", size);
  void *memory = MAP_FAILED;
  if (service->file)
    memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED,
                    service->file.get(), 0);
  if (memory == MAP_FAILED)
    return failure(Reason::failed, "--together: no memory: {0}",
                   std::strerror(errno));
  service->shared = new (memory) SharedContext{0, 0, most};
  return std::move(service);
}

llvm::Error Mps::launch() {
  llvm::ErrorOr<std::string> program = find_our_program(DAEMON);
  if (!program)
    return failure(Reason::failed,
                   "--together: it needs NVIDIA's MPS: there is no {0} on "
                   "PATH, which comes with the driver",
                   DAEMON);
  llvm::SmallString<128> name;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("gpuexec-mps", name))
    return failure(Reason::failed, "--together: no folder for {0}: {1}", DAEMON,
                   error.message());
  folder = name.str();
  const Environment variables(environment());
  char foreground[] = "-f";
  char *arguments[] = {program->data(), foreground, nullptr};
  const ChildDescriptor places[] = {
      {-1, STDIN_FILENO}, {-1, STDOUT_FILENO}, {-1, STDERR_FILENO}};
  ChildSettings settings;
  settings.descriptors = places;
  settings.signal_at_parents_end = SIGTERM;
  process = fork_child(settings);
  if (process == 0) {
    ::execve(program->c_str(), arguments, variables.pointers.data());
    ::_exit(CHILD_FAILED);
  }
  if (process > 0)
    handle = UniqueFd(int(::syscall(SYS_pidfd_open, process, 0)));
  bool has_ended = process < 0;
  const std::string control = folder + "/control";
  const bool is_there = wait_until(
      [&] {
        has_ended |= ::waitpid(process, nullptr, WNOHANG) == process;
        return has_ended || ::access(control.c_str(), F_OK) == 0;
      },
      START_TIMEOUT);
  if (is_there && !has_ended)
    return llvm::Error::success();
  return failure(Reason::failed, "--together: NVIDIA's MPS does not start: {0}",
                 has_ended ? std::string(DAEMON) + " has ended"
                           : "there is no " + control);
}

Mps::~Mps() {
  auto send = [this](int signal) {
    return ::syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0);
  };
  // Another place may take its status first (reap_workers()).
  auto has_ended = [&] {
    ::waitpid(process, nullptr, WNOHANG);
    return send(0) != 0;
  };
  if (handle) {
    send(SIGTERM);
    if (!wait_until(has_ended, END_TIMEOUT))
      send(SIGKILL);
  }
  if (shared)
    ::munmap(shared, size_t(::sysconf(_SC_PAGESIZE)));
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

} // namespace gpuexec::serve
