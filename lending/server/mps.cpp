//===-- lending/server/mps.cpp - NVIDIA's Multi-Process Service -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/mps.h"
#include "lending/wire/shared_memory.h"
#include "support/child_process.h"
#include "support/failure.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <csignal>
#include <cstring>
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

llvm::Expected<std::shared_ptr<Mps>> Mps::start(unsigned most) {
  std::shared_ptr<Mps> service(new Mps);
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
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(DAEMON);
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
  std::vector<std::string> variables = environment();
  std::vector<char *> pointers;
  for (std::string &entry : variables)
    pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  char foreground[] = "-f";
  char *arguments[] = {program->data(), foreground, nullptr};
  const ChildDescriptor places[] = {
      {-1, STDIN_FILENO}, {-1, STDOUT_FILENO}, {-1, STDERR_FILENO}};
  ChildSettings settings;
  settings.descriptors = places;
  settings.signal_at_parents_end = SIGTERM;
  process = fork_child(settings);
  if (process == 0) {
    ::execve(program->c_str(), arguments, pointers.data());
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
