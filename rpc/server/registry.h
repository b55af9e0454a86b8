//===-- rpc/server/registry.h - Which opcodes are served --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVER_REGISTRY_H
#define GPUEXEC_RPC_SERVER_REGISTRY_H

#include "rpc/server/task.h"
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gpuexec::rpc {

class Port;

/// How requests of an opcode are served. One of the two functions is set.
struct Service {
  /// Begins a request; the task may wait.
  Task<> (*run)(void *context, Port &port) = nullptr;
  /// Serves a request whose only packet is already in the port, and answers it
  /// before it returns.
  void (*serve_packet)(void *context, Port &port) = nullptr;
};

/// An opcode and its service.
struct Operation {
  std::string name;
  Service service;
  void *context = nullptr; ///< of the service
  unsigned index = 0; ///< in Registry::all(); set by it
};

/// Opcodes and their services. Filled before the first request, then constant.
class Registry {
public:
  void add(uint32_t opcode, Operation operation) {
    operation.index = unsigned(operations.size());
    operations.push_back(std::make_unique<Operation>(std::move(operation)));
    by_opcode[opcode] = operations.back().get();
  }
  /// Null when the opcode is not served.
  const Operation *find(uint32_t opcode) const {
    auto found = by_opcode.find(opcode);
    return found == by_opcode.end() ? nullptr : found->second;
  }
  const std::vector<std::unique_ptr<Operation>> &all() const {
    return operations;
  }

private:
  std::vector<std::unique_ptr<Operation>> operations;
  std::unordered_map<uint32_t, const Operation *> by_opcode;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_REGISTRY_H
