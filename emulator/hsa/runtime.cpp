//===-- emulator/hsa/runtime.cpp - One initialised HSA runtime ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/runtime.h"
#include "emulator/amdgpu/wave/instruction_set.h"
#include "emulator/hsa/executable.h"
#include "emulator/hsa/queue.h"
#include "support/out_of_memory.h"
#include "support/thread.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>

namespace gpuexec::emulator {

namespace {
// The API's global state. hsa_init and hsa_shut_down count references; every
// other function uses the one runtime.
struct Process {
  std::mutex lock;
  std::condition_variable changed; // client_calls or ending
  uint32_t references = 0;
  unsigned client_calls = 0; // ClientCalls of all threads
  unsigned ending = 0;       // runtimes that a thread of their own deletes
  std::atomic<Runtime *> runtime{nullptr};
  HostCalls host_calls;
  EmulatorOptions options;
  Process() { options.host_calls = &host_calls; }
};
} // namespace

static Process &process() {
  // Never destroyed: other threads may be inside when the process ends.
  alignas(Process) static char storage[sizeof(Process)];
  static Process *instance = new (storage) Process;
  return *instance;
}

// The ClientCalls of this thread: a function of the client may make the runtime
// call another one.
static thread_local unsigned depth = 0;

ClientCall::ClientCall() {
  std::lock_guard guard(process().lock);
  ++process().client_calls;
  ++depth;
}

ClientCall::~ClientCall() {
  std::lock_guard guard(process().lock);
  --process().client_calls;
  --depth;
  process().changed.notify_all();
}

/// Deletes a runtime once the functions of the client that it calls have
/// returned. False when the host has no thread for that.
static bool delete_later(Runtime *runtime) { // process().lock is held
  Thread thread;
  auto work = [runtime] {
    Process &state = process();
    std::unique_lock guard(state.lock);
    state.changed.wait(guard, [&] { return !state.client_calls; });
    guard.unlock();
    delete runtime;
    guard.lock();
    --state.ending;
    state.changed.notify_all();
  };
  if (!thread.start(work, Thread::Signals::blocked))
    return false;
  ++process().ending;
  thread.detach();
  return true;
}

/// Runs when the process exits, before the static objects are destroyed that
/// the runtimes' threads use.
static void at_exit() {
  // A function of the client that never returns must not keep the process.
  constexpr auto LONGEST_WAIT = std::chrono::seconds(2);
  Process &state = process();
  {
    std::unique_lock guard(state.lock);
    if (!depth)
      state.changed.wait_for(guard, LONGEST_WAIT,
                             [&] { return !state.ending; });
  }
  if (Runtime *runtime = Runtime::get())
    if (Scheduler *scheduler = runtime->machine.scheduler_if_any())
      scheduler->park();
}

Runtime *Runtime::get() {
  return process().runtime.load(std::memory_order_acquire);
}

EmulatorOptions &Runtime::options() { return process().options; }

hsa_status_t Runtime::init() {
  Process &state = process();
  std::lock_guard guard(state.lock);
  if (state.references == INT32_MAX)
    return HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
  if (state.references++)
    return HSA_STATUS_SUCCESS;
  catch_llvm_failures();
  const char *processors = getenv("GPUEXEC_EMULATOR_ARCH");
  auto agents =
      make_agents(processors && *processors ? processors : DEFAULT_PROCESSORS);
  state.runtime.store(new Runtime(std::move(agents)),
                      std::memory_order_release);
  static bool registered = false;
  if (!registered) // registered after this library's static objects were made,
                   // it runs before they are destroyed
    registered = atexit(at_exit) == 0;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::shut_down() {
  Process &state = process();
  std::unique_lock guard(state.lock);
  if (!state.references)
    return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (state.references > 1) {
    --state.references;
    return HSA_STATUS_SUCCESS;
  }
  Runtime *runtime = state.runtime;
  // A function of the client that the runtime has called calls this: the
  // runtime lives until that function has returned.
  if (depth && !delete_later(runtime))
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  state.references = 0;
  state.runtime = nullptr;
  guard.unlock(); // a handler that still runs may need the lock
  if (depth)
    runtime->events.refuse();
  else
    delete runtime;
  return HSA_STATUS_SUCCESS;
}

Runtime::Runtime(std::vector<std::unique_ptr<Agent>> agents)
    : machine(options()), agents(std::move(agents)),
      signals(machine.memory, events) {}

Runtime::~Runtime() {
  std::vector<std::shared_ptr<Queue>> open;
  {
    std::lock_guard guard(mutex);
    open.swap(queues);
  }
  for (auto &queue : open)
    queue->close();
  events.stop();
  machine.stop();
  open.clear();
  all_executables.clear();
}

Agent *Runtime::agent(hsa_agent_t handle) const {
  for (const auto &agent : agents)
    if (agent->handle().handle == handle.handle)
      return agent.get();
  return nullptr;
}

Pool *Runtime::pool(uint64_t handle) const {
  for (const auto &agent : agents)
    for (const auto &pool : agent->pools)
      if (pool->handle().handle == handle)
        return pool.get();
  return nullptr;
}

Isa *Runtime::isa(hsa_isa_t handle) const {
  for (const auto &agent : agents)
    for (const auto &isa : agent->isas)
      if (isa->handle().handle == handle.handle)
        return isa.get();
  return nullptr;
}

const Pool *Runtime::pool_of(const Allocation &allocation) const {
  switch (allocation.kind) {
  case MemoryKind::locked_host:
    return nullptr;
  case MemoryKind::code:
    // A global variable of a loaded code object. The vendor's loader allocates
    // it from the device's memory.
    return agents.back()->pools.front().get();
  default:
    return static_cast<const Pool *>(allocation.owner);
  }
}

llvm::Expected<InstructionSet *> Runtime::instruction_set(const Agent &agent) {
  std::lock_guard guard(mutex);
  std::unique_ptr<InstructionSet> &set = instruction_sets[&agent];
  if (!set) {
    auto made = amdgpu::create_instruction_set(
        agent.name, amdgpu::Compiling::as_environment_says,
        machine.options.code_cache.value_or(
            CodeCacheChoice::from_environment(/*by_default=*/false)));
    if (!made)
      return made.takeError();
    set = std::move(*made);
  }
  return set.get();
}

void Runtime::add_event_handler(hsa_amd_system_event_callback_t callback,
                                void *data) {
  std::lock_guard guard(mutex);
  event_handlers.emplace_back(callback, data);
}

/// The reason that a driver would give for the fault. It has none for a
/// misaligned address.
static uint32_t reason_of(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::read_only:
    return HSA_AMD_MEMORY_FAULT_READ_ONLY;
  case Fault::Kind::misaligned:
    return 0;
  default:
    return HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
  }
}

bool Runtime::tell_memory_fault(const Fault &fault, const Agent &agent) {
  hsa_amd_event_t event = {};
  event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
  event.memory_fault.agent = agent.handle();
  event.memory_fault.virtual_address = fault.address;
  event.memory_fault.fault_reason_mask = reason_of(fault.kind);
  std::unique_lock guard(mutex);
  auto handlers = event_handlers;
  guard.unlock();
  bool handled = false;
  ClientCall call;
  for (auto &[callback, data] : handlers)
    handled |= callback(&event, data) == HSA_STATUS_SUCCESS;
  return handled;
}

void Runtime::add_queue(std::shared_ptr<Queue> queue) {
  std::lock_guard guard(mutex);
  queues.push_back(std::move(queue));
}

std::shared_ptr<Queue> Runtime::queue(const hsa_queue_t *handle) const {
  std::lock_guard guard(mutex);
  for (const auto &queue : queues)
    if (queue->handle() == handle)
      return queue;
  return nullptr;
}

std::shared_ptr<Queue> Runtime::remove_queue(const hsa_queue_t *handle) {
  std::lock_guard guard(mutex);
  for (auto queue = queues.begin(); queue != queues.end(); ++queue)
    if ((*queue)->handle() == handle) {
      std::shared_ptr<Queue> removed = std::move(*queue);
      queues.erase(queue);
      return removed;
    }
  return nullptr;
}

void Runtime::add_executable(std::shared_ptr<Executable> executable) {
  std::lock_guard guard(mutex);
  all_executables.push_back(std::move(executable));
}

Executable *Runtime::executable(hsa_executable_t handle) const {
  std::lock_guard guard(mutex);
  for (const auto &executable : all_executables)
    if (executable->handle().handle == handle.handle)
      return executable.get();
  return nullptr;
}

std::shared_ptr<Executable>
Runtime::executable_of_kernel(uint64_t descriptor) const {
  // An executable calls the runtime while it holds its own lock. So the runtime
  // must not call an executable while it holds `mutex`.
  for (const auto &executable : executables())
    if (executable->has_kernel(descriptor))
      return executable;
  return nullptr;
}

bool Runtime::destroy_executable(hsa_executable_t handle) {
  std::shared_ptr<Executable> destroyed; // declared first: it gives memory back
                                         // after the lock is released
  std::lock_guard guard(mutex);
  for (auto executable = all_executables.begin();
       executable != all_executables.end(); ++executable)
    if ((*executable)->handle().handle == handle.handle) {
      destroyed = std::move(*executable);
      all_executables.erase(executable);
      return true;
    }
  return false;
}

std::vector<std::shared_ptr<Executable>> Runtime::executables() const {
  std::lock_guard guard(mutex);
  return all_executables;
}

} // namespace gpuexec::emulator
