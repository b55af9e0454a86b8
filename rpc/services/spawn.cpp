//===-- rpc/services/spawn.cpp - posix_spawn, waitpid, kill ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child gets the program's standard descriptors and what the file actions put
// in its table; the program's other descriptors are not inherited.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::UniqueFd;

//===-- Children ----------------------------------------------------------===//

pid_t Children::add(std::unique_ptr<Child> child) {
  std::lock_guard lock(mutex);
  list.push_back(std::move(child));
  return list.back()->process();
}

Children::Found Children::take(pid_t process) {
  std::lock_guard lock(mutex);
  Found found{.process = -1};
  for (auto child = list.begin(); child != list.end(); ++child) {
    if (process > 0 && (*child)->process() != process)
      continue;
    found = {.process = 0,
             .descriptor = process > 0 ? (*child)->descriptor() : -1};
    const int status = (*child)->take_status();
    if (status == -1)
      continue;
    found = {.process = (*child)->process(), .status = status};
    list.erase(child);
    break;
  }
  return found;
}

int Children::send_signal(pid_t process, int number) {
  std::lock_guard lock(mutex);
  for (auto &child : list)
    if (child->process() == process)
      return child->send_signal(number);
  return ESRCH;
}

namespace {

//===-- SPAWN -------------------------------------------------------------===//

/// The descriptors that a child will have, by number.
class ChildTable {
public:
  explicit ChildTable(Services &services) : services(services) {
    for (int number = 0; number < 3; ++number)
      copy(number, number);
    directory = UniqueFd(
        services.files.working_directory_fd() < 0
            ? -1
            : fcntl(services.files.working_directory_fd(), F_DUPFD_CLOEXEC, 3));
  }
  /// Carries out a list of rpc_spawn_action with their paths. errno or 0.
  int apply(llvm::StringRef actions) {
    rpc_spawn_action action;
    while (!actions.empty()) {
      if (actions.size() < sizeof action)
        return EINVAL;
      memcpy(&action, actions.data(), sizeof action);
      actions = actions.drop_front(sizeof action);
      if (action.path_size > actions.size())
        return EINVAL;
      const std::string path = actions.take_front(action.path_size).str();
      actions = actions.drop_front(action.path_size);
      if (int error = apply(action, path))
        return error;
    }
    return 0;
  }
  std::vector<std::pair<int, int>> descriptors() const {
    std::vector<std::pair<int, int>> list;
    for (const auto &[number, fd] : table)
      list.emplace_back(number, fd->get());
    return list;
  }
  /// Takes over the program's other descriptors, for exec.
  void copy_all() {
    for (const auto &[number, descriptor] : services.descriptors.all())
      if (descriptor->close_on_exec)
        table.erase(int(number));
      else if (number < LIMIT)
        copy(int(number), int(number));
  }
  int directory_fd() const { return directory ? directory.get() : -1; }

private:
  static constexpr int LIMIT = 1024;
  int copy(int from, int to) {
    auto here = table.find(from);
    if (here != table.end()) {
      table[to] = here->second;
      return 0;
    }
    UniqueFd fd(fcntl(services.descriptor_for_child(uint64_t(uint32_t(from))),
                      F_DUPFD_CLOEXEC, 3));
    if (!fd)
      return errno;
    table[to] = std::make_shared<UniqueFd>(std::move(fd));
    return 0;
  }
  int apply(const rpc_spawn_action &action, const std::string &path) {
    if (action.kind == RPC_SPAWN_CHDIR) {
      int fd = openat(directory ? directory.get() : AT_FDCWD, path.c_str(),
                      O_PATH | O_DIRECTORY | O_CLOEXEC);
      if (fd < 0)
        return errno;
      directory = UniqueFd(fd);
      return 0;
    }
    if (action.descriptor < 0 || action.descriptor >= LIMIT)
      return EBADF;
    switch (action.kind) {
    case RPC_SPAWN_CLOSE:
      table.erase(action.descriptor);
      return 0;
    case RPC_SPAWN_DUP2:
      return copy(action.source, action.descriptor);
    case RPC_SPAWN_OPEN: {
      // O_NONBLOCK: opening a FIFO must not hold this thread.
      int fd = openat(directory ? directory.get() : AT_FDCWD, path.c_str(),
                      action.flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                      mode_t(action.mode & 07777));
      if (fd < 0)
        return errno;
      fcntl(fd, F_SETFL, action.flags & ~O_NONBLOCK);
      table[action.descriptor] = std::make_shared<UniqueFd>(fd);
      return 0;
    }
    default:
      return EINVAL;
    }
  }
  Services &services;
  std::map<int, std::shared_ptr<UniqueFd>> table;
  UniqueFd directory;
};

/// Pointers to the strings in `bytes`, which each end with a NUL, then null.
std::vector<char *> pointers_to(std::string &bytes) {
  std::vector<char *> list;
  for (size_t at = 0; at < bytes.size(); at += strlen(&bytes[at]) + 1)
    list.push_back(&bytes[at]);
  list.push_back(nullptr);
  return list;
}

bool is_terminated(const std::string &bytes) {
  return bytes.empty() || bytes.back() == '\0';
}

Task<Result> spawn(Services &services, Port &port, std::string path,
                   Bytes arguments, Bytes environment, Bytes actions,
                   uint64_t search, uint64_t flags, int group, uint64_t mask) {
  co_await services.flush_all(port);
  if (services.files.sandboxed())
    co_return Result::failure(EPERM);
  if (!is_terminated(arguments) || !is_terminated(environment))
    co_return Result::failure(EINVAL);
  ChildTable table(services);
  if (flags & RPC_SPAWN_INSTEAD)
    table.copy_all();
  if (int error = table.apply(actions))
    co_return Result::failure(error);
  const std::vector<char *> argv = pointers_to(arguments),
                            envp = pointers_to(environment);
  Child::Request request = {.file = path.c_str(),
                            .search = search == 1,
                            .arguments = argv.data(),
                            .environment = envp.data(),
                            .descriptors = table.descriptors(),
                            .directory = table.directory_fd()};
  sigemptyset(&request.mask);
  for (int number = 1; number <= 64 && (flags & POSIX_SPAWN_SETSIGMASK);
       ++number)
    if (mask >> (number - 1) & 1)
      sigaddset(&request.mask, number);
  if (flags & POSIX_SPAWN_SETPGROUP)
    request.group = group;
  int error = 0;
  std::unique_ptr<Child> child = Child::start(request, error);
  if (!child)
    co_return Result::failure(error);
  co_return services.children.add(std::move(child));
}

//===-- WAIT and KILL -----------------------------------------------------===//

Task<ResultWords<1>> wait_for_child(Services &services, Port &port, int process,
                                    uint64_t options) {
  constexpr auto RETRY = std::chrono::milliseconds(5);
  const ProgramSignals::Wait wait(services.signals);
  for (;;) {
    const Children::Found found = services.children.take(process);
    if (found.process < 0)
      co_return Result::failure(ECHILD);
    if (found.process > 0)
      co_await services.commands.write_on(port);
    if (found.process > 0 || (options & WNOHANG))
      co_return ResultWords<1>(found.process, found.status);
    if (wait.is_over())
      co_return Result::failure(EINTR);
    // Wait at most RETRY: another thread may take the status and close the
    // descriptor.
    co_await FileWait(port, found.descriptor, POLLIN,
                      Poller::Clock::now() + RETRY);
  }
}

Result kill_child(Services &services, int process, int number) {
  if (process <= 0 || services.files.sandboxed())
    return Result::failure(EPERM);
  const int error = services.children.send_signal(process, number);
  // The program may signal only its children: EPERM for other processes that
  // exist.
  const bool foreign =
      error == ESRCH && !(::kill(process, 0) && errno == ESRCH);
  return Result::of(foreign ? EPERM : error);
}

} // namespace

RPC_SERVE(SPAWN, spawn)
RPC_SERVE(WAIT, wait_for_child)
RPC_SERVE(KILL, kill_child)
