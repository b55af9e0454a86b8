//===-- rpc/services/child.h - A command of the program ---------*- C++ -*-===//
// system() and popen(): /bin/sh -c COMMAND. Its end is waited for through a
// pidfd, which poll() understands; a Child that goes out of scope kills its
// process.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_CHILD_H
#define GPUEXEC_RPC_SERVICES_CHILD_H

#include "rpc/server/task.h"
#include "support/descriptor.h"
#include <array>
#include <memory>
#include <string>
#include <sys/types.h>

namespace gpuexec::rpc {

class Child {
public:
  /// `fds`: standard input, output and error of the child. `directory`: where
  /// it starts, -1 for ours. Null and an errno when there can be none.
  static std::unique_ptr<Child> start(const std::string &command,
                                      const std::array<int, 3> &fds,
                                      int directory, int &error);
  ~Child();
  Child(const Child &) = delete;

  /// Ready to read when the child has ended.
  int descriptor() const { return pidfd.get(); }
  /// Its status as waitpid() gives it, -1 while it runs.
  int take_status();

private:
  Child(pid_t pid, int pidfd) : pid(pid), pidfd(pidfd) {}
  pid_t pid;
  UniqueFd pidfd;
  int status = -1;
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
