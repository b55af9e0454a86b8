//===-- loader/device/hsa/device.cpp - An AMD GPU, real or emulated -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/device.h"
#include "loader/device/free_memory.h"
#include "loader/device/stack_limits.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>

namespace gpuexec::hsa {

/// Packets of the queue. One kernel at a time needs one; runtimes insist on a
/// power of two and on their own minimum.
static constexpr uint32_t QUEUE_PACKETS = 64;

llvm::Error HsaDevice::find_pools() {
  struct Search {
    const Api &api;
    HsaDevice &device;
  } search{api, *this};
  auto visit = [](hsa_amd_memory_pool_t pool, void *data) {
    Search &search = *static_cast<Search *>(data);
    const Api &api = search.api;
    hsa_amd_segment_t segment;
    uint32_t flags = 0;
    bool can_allocate = false;
    if (api.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
                                         &segment) != HSA_STATUS_SUCCESS ||
        segment != HSA_AMD_SEGMENT_GLOBAL ||
        api.hsa_amd_memory_pool_get_info(
            pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
            &can_allocate) != HSA_STATUS_SUCCESS ||
        !can_allocate ||
        api.hsa_amd_memory_pool_get_info(pool,
                                         HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS,
                                         &flags) != HSA_STATUS_SUCCESS)
      return HSA_STATUS_SUCCESS;
    HsaDevice &device = search.device;
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
      device.kernarg_pool = device.kernarg_pool.value_or(pool);
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
      device.host_pool = device.host_pool.value_or(pool);
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)
      device.device_pool = device.device_pool.value_or(pool);
    return HSA_STATUS_SUCCESS;
  };
  llvm::Expected<hsa_agent_t> cpu = runtime->cpu_agent();
  if (!cpu)
    return cpu.takeError();
  if (llvm::Error error = api.check(
          api.hsa_amd_agent_iterate_memory_pools(*cpu, visit, &search),
          "memory pools of the host"))
    return error;
  // Coarse-grained memory is wanted from the GPU, the rest from the host.
  device_pool.reset();
  std::optional<hsa_amd_memory_pool_t> kernarg = kernarg_pool, host = host_pool;
  if (llvm::Error error = api.check(
          api.hsa_amd_agent_iterate_memory_pools(agent, visit, &search),
          "memory pools of the device"))
    return error;
  kernarg_pool = kernarg;
  host_pool = host;
  if (!kernarg_pool || !host_pool || !device_pool)
    return failure(Reason::failed, "hsa: {0} has no {1} memory", facts.name,
                   !device_pool ? "device"
                   : !host_pool ? "fine-grained host"
                                : "kernarg");
  return llvm::Error::success();
}

/// Makes the queue and its signals read-only for the program: they may lie in
/// allocations that the heap would take for the program's.
void HsaDevice::protect_queue() {
  auto protect = [&](const void *begin, uint64_t size) {
    device_heap->protect(DeviceAddress::of(begin), size);
  };
  protect(packets.handle, sizeof(amd_queue_t));
  protect(packets.ring, (packets.mask + 1) * sizeof(*packets.ring));
  for (hsa_signal_t signal : {packets.doorbell, completions[0], completions[1]})
    device_heap->protect(DeviceAddress(signal.handle), sizeof(amd_signal_t));
}

llvm::Error HsaDevice::create_queue() {
  uint32_t minimum = 0;
  api.hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE, &minimum);
  auto on_error = [](hsa_status_t result, hsa_queue_t *, void *data) {
    if (result == HSA_STATUS_SUCCESS)
      return;
    auto *fault = static_cast<FaultRecord *>(data);
    {
      std::lock_guard lock(fault->mutex);
      if (fault->queue_status == HSA_STATUS_SUCCESS)
        fault->queue_status = result;
    }
    fault->wake();
  };
  if (llvm::Error error = api.check(
          api.hsa_queue_create(agent, std::max(minimum, QUEUE_PACKETS),
                               HSA_QUEUE_TYPE_MULTI, on_error, fault.get(),
                               UINT32_MAX, UINT32_MAX, &packets.handle),
          "hsa_queue_create"))
    return error;
  // No kernel has run yet: this is still what the runtime wrote.
  packets.ring =
      static_cast<hsa_kernel_dispatch_packet_t *>(packets.handle->base_address);
  packets.mask = packets.handle->size - 1;
  packets.doorbell = packets.handle->doorbell_signal;
  packets.next = api.hsa_queue_load_write_index_relaxed(packets.handle);
  for (hsa_signal_t &completion : completions)
    if (llvm::Error error =
            api.check(api.hsa_signal_create(1, 0, nullptr, &completion),
                      "hsa_signal_create"))
      return error;
  return llvm::Error::success();
}

/// A thread of the runtime calls it. Returning success keeps ROCm from ending
/// the process before gpuexec has reported the fault.
static hsa_status_t on_system_event(const hsa_amd_event_t *event, void *data) {
  if (event->event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT)
    return HSA_STATUS_SUCCESS;
  auto *fault = static_cast<FaultRecord *>(data);
  {
    std::lock_guard lock(fault->mutex);
    if (!fault->memory) {
      fault->memory = true;
      fault->address = event->memory_fault.virtual_address;
      fault->reason = event->memory_fault.fault_reason_mask;
    }
  }
  fault->wake();
  return HSA_STATUS_SUCCESS;
}

llvm::Error HsaDevice::initialise() {
  fault->store_signal = api.hsa_signal_store_screlease;
  runtime->keep(fault); // callbacks use it until the runtime is shut down
  // Older emulator libraries do not know the option and behave as other GPUs.
  if (api.set_option)
    api.set_option("signals", "host");
  if (llvm::Error error = find_pools())
    return error;
  if (llvm::Error error = create_queue())
    return error;
  device_heap = std::make_unique<Heap>(api, *device_pool, facts.emulated);
  protect_queue();
  // A second registration in one process is refused by ROCm; faults then still
  // arrive through the queue.
  api.hsa_amd_register_system_event_handler(on_system_event, fault.get());
  return llvm::Error::success();
}

HsaDevice::~HsaDevice() {
  if (serve)
    serve_calls({});
  if (hung) {
    device_heap.release();
    new std::shared_ptr<Runtime>(runtime); // shutting down would wait
    return;
  }
  device_heap.reset();
  if (packets.handle)
    api.hsa_queue_destroy(packets.handle);
  for (hsa_signal_t completion : completions)
    if (completion.handle)
      api.hsa_signal_destroy(completion);
  for (auto &[size, block] : kernargs)
    if (block)
      api.hsa_amd_memory_pool_free(block);
}

llvm::Expected<HostBuffer> HsaDevice::allocate_host(uint64_t size) {
  void *memory = nullptr;
  if (llvm::Error error =
          api.check(api.hsa_amd_memory_pool_allocate(
                        *host_pool, std::max<uint64_t>(size, 1), 0, &memory),
                    "allocating pinned memory"))
    return std::move(error);
  if (llvm::Error error =
          api.check(api.hsa_amd_agents_allow_access(1, &agent, nullptr, memory),
                    "giving the device access to pinned memory")) {
    api.hsa_amd_memory_pool_free(memory);
    return std::move(error);
  }
  std::memset(memory, 0, size);
  return HostBuffer{static_cast<std::byte *>(memory), DeviceAddress::of(memory),
                    size};
}

void HsaDevice::free_host(const HostBuffer &buffer) {
  if (!hung)
    api.hsa_amd_memory_pool_free(buffer.host);
}

llvm::Expected<DeviceAddress> HsaDevice::allocate_device(uint64_t size) {
  void *memory = nullptr;
  uint64_t rounded = (std::max<uint64_t>(size, 1) + 3) / 4 * 4;
  if (llvm::Error error = api.check(
          api.hsa_amd_memory_pool_allocate(*device_pool, rounded, 0, &memory),
          "allocating device memory"))
    return std::move(error);
  if (llvm::Error error =
          api.check(api.hsa_amd_memory_fill(memory, 0, rounded / 4),
                    "clearing device memory")) {
    api.hsa_amd_memory_pool_free(memory);
    return std::move(error);
  }
  return DeviceAddress::of(memory);
}

void HsaDevice::free_device(DeviceAddress address) {
  if (!hung)
    api.hsa_amd_memory_pool_free(address.shared());
}

llvm::Error HsaDevice::copy_to_device(DeviceAddress to,
                                      llvm::ArrayRef<std::byte> from) {
  return api.check(api.hsa_memory_copy(to.shared(), from.data(), from.size()),
                   "copying to the device");
}

llvm::Error HsaDevice::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                        DeviceAddress from) {
  return api.check(api.hsa_memory_copy(to.data(), from.shared(), to.size()),
                   "copying from the device");
}

uint64_t HsaDevice::clock_frequency() const {
  uint64_t hertz = 0;
  // The frequency of the agent's own counter, which the device reads. ROCm
  // below 5.3 does not know the question; there the counter ticks as the
  // system's.
  if (api.hsa_agent_get_info(agent, hsa_agent_info_t(0xA016), &hertz) !=
          HSA_STATUS_SUCCESS ||
      hertz == 0)
    api.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hertz);
  return hertz;
}

/// The whole text that `write` writes. It is called again with a larger buffer
/// until the text fits, which may grow meanwhile.
static std::string
whole_text(llvm::function_ref<size_t(char *, size_t)> write) {
  std::string text(16 * 1024, '\0');
  for (;;) {
    size_t length = write(text.data(), text.size());
    if (length < text.size()) {
      text.resize(length);
      return text;
    }
    text.resize(length + length / 4 + 1);
  }
}

HostFiles HsaDevice::host_files() const {
  HostFiles files;
  // The emulator opens its compiler when a program has run for some time, and
  // with it libraries of the system, which are the same for everybody.
  files.readable = system_libraries();
  files.readable.push_back("/sys/devices/system/cpu/online"); // how many
  if (facts.emulated) {
    files.readable.push_back(
        llvm::sys::path::parent_path(emulator_library()).str());
    return files;
  }
  files.readable.push_back("/sys/class/kfd");
  files.readable.push_back("/sys/devices/virtual/kfd");
  files.devices = {"/dev/kfd", "/dev/dri"};
  return files;
}

std::string HsaDevice::where() {
  return api.where ? whole_text(api.where) : std::string();
}

llvm::Error HsaDevice::set_option(llvm::StringRef name, llvm::StringRef value) {
  if (api.set_option(name.str().c_str(), value.str().c_str()) !=
      HSA_STATUS_SUCCESS)
    return failure(Reason::failed, "the emulator does not know '{0}'", value);
  return llvm::Error::success();
}

llvm::Error HsaDevice::run_in_lockstep(uint64_t seed, Turn turn) {
  auto kept = std::make_shared<Turn>(std::move(turn));
  runtime->keep(kept); // its threads call it
  return api.check(
      api.run_in_lockstep(
          seed,
          [](void *context, uint64_t step, int idle, uint64_t *ticks) {
            return int((*static_cast<Turn *>(context))(step, idle, *ticks));
          },
          kept.get()),
      "run in lockstep");
}

void HsaDevice::serve_calls(std::function<bool()> wanted) {
  api.serve_calls(nullptr, nullptr); // nobody is in the function of before
  serve = std::move(wanted);
  if (serve)
    api.serve_calls(
        [](void *context) {
          return int((*static_cast<std::function<bool()> *>(context))());
        },
        &serve);
}

/// The heap's limit on the emulator, whose memory is the machine's: if a
/// program took all of it, the kernel would end processes, perhaps others than
/// this one.
static uint64_t usual_heap() {
  constexpr uint64_t LEAST = 64 << 20;
  std::optional<uint64_t> free = free_memory();
  return free ? std::max(*free / 2, LEAST) : UINT64_MAX;
}

llvm::Expected<std::unique_ptr<Module>>
HsaDevice::load(const Image &image, const LaunchSettings &settings) {
  if (settings.heap_size)
    device_heap->set_limit(*settings.heap_size);
  else if (facts.emulated)
    device_heap->set_limit(usual_heap());
  auto module = std::make_unique<HsaModule>(*this, image, settings);
  if (llvm::Error error = module->load())
    return std::move(error);
  if (llvm::Error error = write_recursion_limit(*this, *module, settings))
    return std::move(error);
  return std::unique_ptr<Module>(std::move(module));
}

std::string HsaDevice::statistics(bool json) {
  return api.statistics ? whole_text([&](char *buffer, size_t size) {
    return api.statistics(buffer, size, json);
  })
                        : std::string();
}

llvm::Expected<std::unique_ptr<Device>>
open_device(std::shared_ptr<Runtime> runtime, uint32_t index) {
  llvm::Expected<std::vector<hsa_agent_t>> agents = runtime->gpu_agents();
  if (!agents)
    return agents.takeError();
  if (index >= agents->size())
    return failure(
        Reason::failed, "no device {0}:{1}: there {2} {3}",
        backend_name(runtime->kind), index, agents->size() == 1 ? "is" : "are",
        agents->empty() ? std::string("none") : std::to_string(agents->size()));
  hsa_agent_t agent = (*agents)[index];
  llvm::Expected<DeviceInfo> info = runtime->describe(agent, index);
  if (!info)
    return info.takeError();
  auto device = std::make_unique<HsaDevice>(std::move(runtime), agent, *info);
  if (llvm::Error error = device->initialise())
    return std::move(error);
  return std::unique_ptr<Device>(std::move(device));
}

} // namespace gpuexec::hsa
