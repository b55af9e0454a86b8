//===-- lending/server/mps.h - NVIDIA's Multi-Process Service ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By default a GPU runs the kernels of different processes in turns. With the
// Multi-Process Service of NVIDIA's driver (MPS) the kernels of its processes
// run side by side, each in an address space of its own; but a fault of one
// ends the contexts of all. The server has a service of its own for its
// workers, and another one after a fault.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_MPS_H
#define GPUEXEC_LENDING_SERVER_MPS_H

#include "loader/device/device.h"
#include "support/descriptor.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gpuexec::serve {

/// What a process is started with, as exec() takes it.
struct Environment {
  explicit Environment(std::vector<std::string> entries)
      : entries(std::move(entries)) {
    for (std::string &entry : this->entries)
      pointers.push_back(entry.data());
    pointers.push_back(nullptr);
  }
  Environment(const Environment &) = delete; // `pointers` are into `entries`
  std::vector<std::string> entries;
  std::vector<char *> pointers;
};

/// Has the service that the environment names end the kernels of a process, and
/// of no other. False when the service does not answer.
bool end_mps_client(char *const *environment, pid_t client);

class Mps {
public:
  /// Starts a service for `most` processes at a time, whose programs have
  /// `suspicion`. Errors: Failure when it is not installed or does not start.
  static llvm::Expected<std::shared_ptr<Mps>> start(unsigned most,
                                                    unsigned suspicion);
  /// Ends the service: the workers must have ended.
  ~Mps();
  Mps(const Mps &) = delete;

  /// Our environment, and the variables by which a worker finds the service.
  std::vector<std::string> environment() const;
  /// A file with the SharedContext of all workers.
  int context() const { return file.get(); }
  /// As end_mps_client().
  bool end(pid_t client) const;
  /// A process is about to be killed while a kernel of it runs: that ends the
  /// others' kernels.
  void will_kill() { shared->was_killed = 1; }
  const unsigned most, suspicion; ///< as start() got them
  bool has_faulted = false; ///< it gets no more workers, and no more programs

private:
  Mps(unsigned most, unsigned suspicion) : most(most), suspicion(suspicion) {}
  llvm::Error launch();
  std::string folder; ///< this user's alone
  pid_t process = -1;
  UniqueFd handle; ///< pidfd: the number may be reused later
  UniqueFd file;
  SharedContext *shared = nullptr; ///< in `file`
};

} // namespace gpuexec::serve

#endif
