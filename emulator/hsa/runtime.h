//===-- emulator/hsa/runtime.h - One initialised HSA runtime ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the first hsa_init to the last hsa_shut_down a process has one Runtime,
// which owns all objects of the API and the machine behind them: HSA's
// functions have no other argument from which to find them. Entry points
// (api_*.cpp) check handles and call the runtime or the machine.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_RUNTIME_H
#define GPUEXEC_EMULATOR_HSA_RUNTIME_H

#include "emulator/hsa/agent.h"
#include "emulator/hsa/events.h"
#include "emulator/hsa/signal.h"
#include "emulator/machine/machine.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gpuexec::emulator {

class Queue;
class Executable;

/// The options that gpuexec_emulator_set_option sets. They outlive
/// hsa_shut_down.
struct EmulatorOptions : Options {
  Signals::Writers signal_writers = Signals::Writers::host_and_device;
};

/// Exists while the calling thread runs a function of the client that the
/// runtime calls on its own: a handler of signals, queues or events. Such a
/// function may call hsa_shut_down.
class ClientCall {
public:
  ClientCall();
  ~ClientCall();
  ClientCall(const ClientCall &) = delete;
  ClientCall &operator=(const ClientCall &) = delete;
};

class Runtime {
public:
  /// Null before hsa_init.
  static Runtime *get();
  static hsa_status_t init();
  /// Releases one reference. The last one ends the runtime: at once, or, in a
  /// ClientCall, when no thread is in a ClientCall any more.
  static hsa_status_t shut_down();
  static EmulatorOptions &options();

  explicit Runtime(std::vector<std::unique_ptr<Agent>> agents);
  ~Runtime();

  Agent *agent(hsa_agent_t handle) const;
  Pool *pool(uint64_t handle) const;
  Isa *isa(hsa_isa_t handle) const;

  /// The pool of the allocation; null for memory that the client has locked.
  const Pool *pool_of(const Allocation &allocation) const;

  void add_event_handler(hsa_amd_system_event_callback_t callback, void *data);
  /// Tells the system event handlers of a memory fault; true when one took care
  /// of it.
  bool tell_memory_fault(const Fault &fault, const Agent &agent);

  /// The agent's instruction set, created when it is first needed.
  llvm::Expected<InstructionSet *> instruction_set(const Agent &agent);

  void add_queue(std::shared_ptr<Queue> queue);
  std::shared_ptr<Queue> remove_queue(const hsa_queue_t *handle);
  std::shared_ptr<Queue> queue(const hsa_queue_t *handle) const;
  void add_executable(std::shared_ptr<Executable> executable);
  Executable *executable(hsa_executable_t handle) const;
  bool destroy_executable(hsa_executable_t handle);
  std::vector<std::shared_ptr<Executable>> executables() const;
  /// The executable that holds the kernel descriptor at this address, or null.
  std::shared_ptr<Executable> executable_of_kernel(uint64_t descriptor) const;

  // In this order: what is below uses what is above.
  Machine machine;
  std::vector<std::unique_ptr<Agent>> agents;
  Events events;
  Signals signals;
  SignalGroups signal_groups;

private:
  mutable std::mutex mutex;
  std::vector<std::pair<hsa_amd_system_event_callback_t, void *>>
      event_handlers;
  std::map<const Agent *, std::unique_ptr<InstructionSet>> instruction_sets;
  std::vector<std::shared_ptr<Queue>> queues;
  std::vector<std::shared_ptr<Executable>> all_executables;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_RUNTIME_H
