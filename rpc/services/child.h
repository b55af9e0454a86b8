//===-- rpc/services/child.h - A command of the program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// system(), popen() and posix_spawn(). Its end is waited for through a
// pidfd, which poll() understands; a Child that goes out of scope kills its
// process.
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
  /// /bin/sh -c COMMAND. `fds`: standard input, output and error of the child.
  /// `directory`: where it starts, -1 for ours. Null and an errno when there
  /// can be none.
  static std::unique_ptr<Child> start(const std::string &command,
                                      const std::array<int, 3> &fds,
                                      int directory, int &error);
  /// Any program.
  struct Request {
    const char *file;
    bool search = false; ///< for `file` in PATH
    char *const *arguments;
    char *const *environment;
    std::vector<std::pair<int, int>> descriptors; ///< number there, ours
    int directory = -1;
    sigset_t mask = {};              ///< blocked signals; none
    std::optional<pid_t> group = {}; ///< 0: one of its own
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

/// What the program started with posix_spawn(), until it is waited for; those
/// that are left end with the program. Thread-safe.
class Children {
public:
  /// The process's number.
  pid_t add(std::unique_ptr<Child> child);
  struct Found {
    pid_t process = 0; ///< 0: none has ended; -1: there is none
    int status = 0;
    int descriptor = -1; ///< of the one that is waited for, if it is one
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

/// Child::start(), which is tried again for a while where there is no process
/// to be had at the moment: thousands of lanes may start one at a time.
Task<std::unique_ptr<Child>> start_child(Services &services, Port &port,
                                         std::string command,
                                         std::array<int, 3> fds, int &error);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_CHILD_H
