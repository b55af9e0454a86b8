//===-- rpc/services/child.h - A command of the program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes started by system(), popen() and posix_spawn(). The server waits
// for their end through a pidfd, which poll() understands. The destructor of
// Child kills its process.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_CHILD_H
#define GPUEXEC_RPC_SERVICES_CHILD_H

#include "rpc/server/task.h"
#include "support/descriptor.h"
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <signal.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gpuexec::rpc {

class Child {
public:
  /// Starts /bin/sh -c COMMAND. `fds`: standard input, output and error of the
  /// child. `directory`: its working directory, -1 for gpuexec's. Null and an
  /// errno in `error` when no process can be started.
  static std::unique_ptr<Child> start(const std::string &command,
                                      const std::array<int, 3> &fds,
                                      int directory, int &error);
  /// How any program is started.
  struct Request {
    const char *file;
    bool search = false; ///< look for `file` in PATH
    char *const *arguments;
    char *const *environment;
    std::vector<std::pair<int, int>> descriptors; ///< child's number, our fd
    int directory = -1;
    sigset_t mask = {};              ///< signals that the child starts blocked
    std::optional<pid_t> group = {}; ///< process group; 0: a new one
  };
  static std::unique_ptr<Child> start(const Request &request, int &error);
  ~Child();
  Child(const Child &) = delete;

  /// Ready to read when the child has ended.
  int descriptor() const { return pidfd.get(); }
  /// Its status as waitpid() gives it, -1 while it runs.
  int take_status();
  pid_t process() const { return pid; }
  /// errno or 0.
  int send_signal(int number);

private:
  Child(pid_t pid, int pidfd) : pid(pid), pidfd(pidfd) {}
  pid_t pid;
  UniqueFd pidfd;
  int status = -1;
};

/// The processes that the program started with posix_spawn() and has not waited
/// for. The destructor kills them. Thread-safe.
class Children {
public:
  /// The process's number.
  pid_t add(std::unique_ptr<Child> child);
  struct Found {
    pid_t process = 0; ///< 0: none has ended; -1: there is no such child
    int status = 0;
    int descriptor = -1; ///< pidfd, if the caller asked for a single child
  };
  /// Takes the status of a child that has ended. `process`: -1 for any.
  Found take(pid_t process);
  /// errno or 0.
  int send_signal(pid_t process, int number);

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<Child>> list;
};

class Port;
class Services;

/// Starts a shell command; while the system has no more processes (EAGAIN)
/// tries again for 10 seconds, because thousands of lanes may start commands at
/// once.
Task<std::unique_ptr<Child>> start_child(Services &services, Port &port,
                                         std::string command,
                                         std::array<int, 3> fds, int &error);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_CHILD_H
