//===-- emulator/hsa/runtime.h - One initialised HSA runtime ----*- C++ -*-===//
// Between the first hsa_init and the last hsa_shut_down of a process there is
// one Runtime, which owns everything: that is how the API is made, and the only
// global state there is. Entry points (api_*.cpp) check handles and call in
// here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_RUNTIME_H
#define GPUEXEC_EMULATOR_HSA_RUNTIME_H

#include "emulator/hsa/agent.h"
#include "emulator/hsa/events.h"
#include "emulator/hsa/signal.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/page_allocator.h"
#include "emulator/machine/scheduler.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gpuexec::emulator {

class Queue;
class Executable;

/// What gpuexec_emulator_set_option sets. Kept across hsa_init and
/// hsa_shut_down.
struct EmulatorOptions {
  bool check_uninitialized = false;
  bool statistics = false;
  bool prepare_lines = false;
  unsigned threads = 0;
  Signals::Writers signal_writers = Signals::Writers::host_and_device;
  void *memory = nullptr; // gpuexec_emulator_use_memory
  size_t memory_size = 0;
};

/// What one hsa_amd_memory_pool_allocate or hsa_amd_memory_lock gave.
struct Allocation {
  uint64_t begin = 0, size = 0;
  const Pool *pool = nullptr; // null: locked
  void *user_data = nullptr;
  uint64_t mapped = 0; // bytes taken from the page allocator
  uint8_t *shadow = nullptr;
};

/// Sums over all launches of a kernel.
struct KernelStatistics {
  uint64_t launches = 0, threads = 0, ticks = 0;
  Counters counters;
  std::map<std::string, Counters> regions; // of interest
};

class Runtime {
public:
  /// Null before hsa_init.
  static Runtime *get();
  static hsa_status_t init();
  static hsa_status_t shut_down();
  static EmulatorOptions &options();

  explicit Runtime(std::vector<std::unique_ptr<Agent>> agents);
  ~Runtime();

  Agent *agent(hsa_agent_t handle) const;
  Pool *pool(uint64_t handle) const;
  Isa *isa(hsa_isa_t handle) const;

  // Memory (memory.cpp).
  hsa_status_t allocate(const Pool &pool, size_t size, void **pointer);
  hsa_status_t free(void *pointer);
  hsa_status_t lock(void *pointer, size_t size);
  hsa_status_t unlock(void *pointer);
  std::optional<Allocation> allocation_of(const void *pointer) const;
  bool set_user_data(const void *pointer, void *data);
  /// Copies or fills, checked: a range that touches device-visible memory must
  /// lie in one allocation.
  hsa_status_t copy(void *to, const void *from, size_t size);
  hsa_status_t fill(void *to, uint32_t value, size_t count);
  /// What is there counts as defined: the client writes it without us.
  void written(void *to, size_t size);
  bool range_ok(const void *pointer, size_t size) const;

  // Faults and events (runtime.cpp).
  void add_event_handler(hsa_amd_system_event_callback_t callback, void *data);
  /// Keeps a report for gpuexec_emulator_fault_report.
  void keep_report(std::string text);
  /// Tells the system event handlers of a memory fault; true when one took care
  /// of it.
  bool tell_memory_fault(const Fault &fault, const Agent &agent);
  const char *last_report() const;
  /// Where all waves are, and what was counted so far (report.cpp).
  std::string where();
  std::string statistics(bool json) const;
  void count(const std::string &kernel, const Launch &launch);

  /// The target's instruction set, made when it is first needed.
  llvm::Expected<InstructionSet *> instruction_set(const Agent &agent);
  Scheduler &scheduler();
  /// Without creating one.
  Scheduler *scheduler_if_any() const {
    return running.load(std::memory_order_acquire);
  }

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
  PageAllocator pages;
  AddressSpace memory;
  std::vector<std::unique_ptr<Agent>> agents;
  Events events;
  Signals signals;

private:
  std::vector<std::pair<uint64_t, uint64_t>> uncovered(uint64_t begin,
                                                       uint64_t end) const;

  mutable std::mutex lock_;
  std::map<uint64_t, Allocation> allocations;
  struct Lock {
    uint64_t begin, size;
    std::vector<uint64_t> pieces; // regions that were added for it
  };
  /// Adds what of a lock no live region covers.
  void cover(Lock &lock);
  std::multimap<uint64_t, Lock> locks;
  std::vector<std::pair<hsa_amd_system_event_callback_t, void *>>
      event_handlers;
  std::vector<std::unique_ptr<std::string>>
      reports; // kept: clients hold pointers to them
  std::map<const Agent *, std::unique_ptr<InstructionSet>> instruction_sets;
  std::vector<std::shared_ptr<Queue>> queues;
  std::vector<std::shared_ptr<Executable>> all_executables;
  std::unique_ptr<Scheduler> owned_scheduler;
  std::atomic<Scheduler *> running{nullptr};
  uint64_t pool_bytes = 0; // live, of all pools
  std::map<std::string, KernelStatistics> kernel_statistics;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_RUNTIME_H
