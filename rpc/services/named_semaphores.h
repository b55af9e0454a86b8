//===-- rpc/services/named_semaphores.h - Those that are open ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_NAMED_SEMAPHORES_H
#define GPUEXEC_RPC_SERVICES_NAMED_SEMAPHORES_H

#include "rpc/services/tables.h"
#include <mutex>
#include <semaphore.h>

namespace gpuexec::rpc {

/// A semaphore of the host's C library.
class NamedSemaphore {
public:
  explicit NamedSemaphore(sem_t *semaphore) : semaphore(semaphore) {}
  ~NamedSemaphore() { sem_close(semaphore); }
  NamedSemaphore(const NamedSemaphore &) = delete;
  sem_t *const semaphore;
  uint64_t opens = 1; ///< by the program; guarded by the table's mutex
};

/// The program's named semaphores. Thread-safe.
class NamedSemaphores {
public:
  /// The number of the semaphore, which is added unless it is open already; 0
  /// when too many are open. Owns `semaphore` from now on.
  uint64_t add(sem_t *semaphore);
  std::shared_ptr<NamedSemaphore> find(uint64_t number) {
    return table.find(number);
  }
  /// False when there is none. Calls that wait keep the semaphore open.
  bool close(uint64_t number);

private:
  static constexpr size_t MOST = 1024;
  std::mutex mutex;
  std::vector<std::pair<uint64_t, std::shared_ptr<NamedSemaphore>>> open;
  HandleTable<NamedSemaphore, 0x6773> table;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_NAMED_SEMAPHORES_H
