//===-- loader/device/hsa/device.cpp - An AMD GPU, real or emulated -------===//
// One agent, one queue, one kernel at a time. Follows the HSA runtime
// specification 1.2 and llvm-gpu-abi.md 4.5. A kernel that never ends is left
// to the end of the process: destroying its queue could wait for it.
//===----------------------------------------------------------------------===//
#include "loader/device/hsa/heap.h"
#include "loader/device/hsa/kernarg.h"
#include "loader/device/hsa/runtime.h"
#include <atomic>
#include <cstring>
#include <mutex>

namespace gpuexec::hsa {
namespace {

/// AMDGPU kernels whose stack the compiler could not bound get this much per
/// lane, as LLVM's loader and its offload plugin do (llvm-gpu-abi.md 4.5).
constexpr uint32_t DYNAMIC_STACK = 16384;
/// What the hardware's scratch addressing can hold per lane of a wave of 64.
constexpr uint64_t MAX_STACK = 131056;
/// One kernel at a time needs one packet; runtimes insist on a power of two and
/// on their own minimum.
constexpr uint32_t QUEUE_PACKETS = 64;
/// How long a wait may overlook a fault that came without a wake-up.
constexpr double RECHECK_SECONDS = 0.25;

/// What went wrong on the device, said by the runtime's own threads. One per
/// process is right: a system event has no other address than its agent.
struct FaultRecord {
  std::mutex mutex;
  std::atomic<bool> happened{false};
  hsa_status_t queue_status = HSA_STATUS_SUCCESS;
  bool memory = false;
  uint64_t address = 0;
  uint32_t reason = 0;
  hsa_agent_t agent{};
  // Stored to -1 so that whoever waits for the kernel looks here.
  std::atomic<uint64_t> waiting_signal{0};
};

class HsaDevice;

class HsaModule final : public Module {
public:
  HsaModule(HsaDevice &device, const Image &image,
            const LaunchSettings &settings)
      : device(device), image(image), settings(settings) {}
  ~HsaModule() override;
  llvm::Error load();
  llvm::Expected<std::optional<uint64_t>>
  find_global(llvm::StringRef name) override;
  llvm::Error launch(const Kernel &kernel, const Grid &grid,
                     llvm::ArrayRef<std::byte> arguments) override;

private:
  llvm::Expected<hsa_executable_symbol_t> symbol(const std::string &name);
  llvm::Expected<uint32_t> private_size(const Kernel &kernel,
                                        hsa_executable_symbol_t symbol);
  HsaDevice &device;
  const Image &image;
  const LaunchSettings settings;
  hsa_code_object_reader_t reader{};
  hsa_executable_t executable{};
};

class HsaDevice final : public Device {
public:
  HsaDevice(std::shared_ptr<Runtime> runtime, hsa_agent_t agent,
            DeviceInfo info)
      : runtime(std::move(runtime)), api(this->runtime->api), agent(agent),
        facts(std::move(info)) {}
  ~HsaDevice() override;
  llvm::Error initialise();

  const DeviceInfo &info() const override { return facts; }
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) override;
  llvm::Expected<HostBuffer> allocate_host(uint64_t size) override;
  void free_host(const HostBuffer &buffer) override;
  llvm::Expected<uint64_t> allocate_device(uint64_t size) override;
  void free_device(uint64_t address) override;
  llvm::Error copy_to_device(uint64_t to,
                             llvm::ArrayRef<std::byte> from) override;
  llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                               uint64_t from) override;
  rpc::DeviceMemory &heap() override { return *device_heap; }
  uint64_t clock_frequency() const override;
  std::string where() override;
  llvm::Error set_option(llvm::StringRef name, llvm::StringRef value) override;
  std::string statistics(bool json) override;

  llvm::Error dispatch(const Kernel &kernel, const Grid &grid,
                       uint64_t kernel_object, uint32_t private_size,
                       llvm::ArrayRef<std::byte> arguments);

private:
  friend class HsaModule;
  llvm::Error find_pools();
  llvm::Error create_queue();
  llvm::Error fault_error(const Kernel &kernel);

  std::shared_ptr<Runtime> runtime;
  const Api &api;
  hsa_agent_t agent;
  DeviceInfo facts;
  std::optional<hsa_amd_memory_pool_t> kernarg_pool, host_pool, device_pool;
  hsa_queue_t *queue = nullptr;
  hsa_signal_t completion{};
  std::unique_ptr<Heap> device_heap;
  std::shared_ptr<FaultRecord> fault = std::make_shared<FaultRecord>();
  bool hung = false; // a kernel was given up: its queue is not to be touched
};

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
    return failure(status::Failed, "hsa: {0} has no {1} memory", facts.name,
                   !device_pool ? "device"
                   : !host_pool ? "fine-grained host"
                                : "kernarg");
  return llvm::Error::success();
}

llvm::Error HsaDevice::create_queue() {
  uint32_t minimum = 0;
  api.hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE, &minimum);
  auto on_error = [](hsa_status_t result, hsa_queue_t *, void *data) {
    if (result == HSA_STATUS_SUCCESS)
      return;
    auto *device = static_cast<HsaDevice *>(data);
    FaultRecord &fault = *device->fault;
    {
      std::lock_guard lock(fault.mutex);
      if (fault.queue_status == HSA_STATUS_SUCCESS)
        fault.queue_status = result;
    }
    fault.happened.store(true);
    if (uint64_t signal = fault.waiting_signal.load())
      device->api.hsa_signal_store_screlease(hsa_signal_t{signal}, -1);
  };
  if (llvm::Error error = api.check(
          api.hsa_queue_create(agent, std::max(minimum, QUEUE_PACKETS),
                               HSA_QUEUE_TYPE_MULTI, on_error, this, UINT32_MAX,
                               UINT32_MAX, &queue),
          "hsa_queue_create"))
    return error;
  return api.check(api.hsa_signal_create(1, 0, nullptr, &completion),
                   "hsa_signal_create");
}

/// Called by a thread of the runtime's. Saying success keeps ROCm from ending
/// the process before we have said what happened.
hsa_status_t on_system_event(const hsa_amd_event_t *event, void *data) {
  if (event->event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT)
    return HSA_STATUS_SUCCESS;
  auto *fault = static_cast<FaultRecord *>(data);
  std::lock_guard lock(fault->mutex);
  if (!fault->memory) {
    fault->memory = true;
    fault->agent = event->memory_fault.agent;
    fault->address = event->memory_fault.virtual_address;
    fault->reason = event->memory_fault.fault_reason_mask;
  }
  fault->happened.store(true);
  return HSA_STATUS_SUCCESS;
}

llvm::Error HsaDevice::initialise() {
  if (llvm::Error error = find_pools())
    return error;
  if (llvm::Error error = create_queue())
    return error;
  device_heap = std::make_unique<Heap>(api, *device_pool,
                                       facts.backend == Backend::emulator);
  // A second registration in one process is refused by ROCm; faults then still
  // arrive through the queue. The record must outlive the runtime's threads.
  auto *kept = new std::shared_ptr<FaultRecord>(fault);
  if (api.hsa_amd_register_system_event_handler(on_system_event, kept->get()) !=
      HSA_STATUS_SUCCESS)
    delete kept;
  return llvm::Error::success();
}

HsaDevice::~HsaDevice() {
  if (hung)
    return;
  device_heap.reset();
  if (queue)
    api.hsa_queue_destroy(queue);
  if (completion.handle)
    api.hsa_signal_destroy(completion);
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
  return HostBuffer{static_cast<std::byte *>(memory),
                    reinterpret_cast<uint64_t>(memory), size};
}

void HsaDevice::free_host(const HostBuffer &buffer) {
  if (!hung)
    api.hsa_amd_memory_pool_free(buffer.host);
}

llvm::Expected<uint64_t> HsaDevice::allocate_device(uint64_t size) {
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
  return reinterpret_cast<uint64_t>(memory);
}

void HsaDevice::free_device(uint64_t address) {
  if (!hung)
    api.hsa_amd_memory_pool_free(reinterpret_cast<void *>(address));
}

llvm::Error HsaDevice::copy_to_device(uint64_t to,
                                      llvm::ArrayRef<std::byte> from) {
  return api.check(api.hsa_memory_copy(reinterpret_cast<void *>(to),
                                       from.data(), from.size()),
                   "copying to the device");
}

llvm::Error HsaDevice::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                        uint64_t from) {
  return api.check(api.hsa_memory_copy(to.data(),
                                       reinterpret_cast<const void *>(from),
                                       to.size()),
                   "copying from the device");
}

uint64_t HsaDevice::clock_frequency() const {
  uint64_t hertz = 0;
  // The agent's own counter, which the device reads; ROCm below 5.3 does not
  // know the question, and there it ticks as the system's does.
  if (api.hsa_agent_get_info(agent, hsa_agent_info_t(0xA016), &hertz) !=
          HSA_STATUS_SUCCESS ||
      hertz == 0)
    api.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hertz);
  return hertz;
}

/// Asks again with more room until the text fits, which may grow meanwhile.
std::string whole_text(llvm::function_ref<size_t(char *, size_t)> write) {
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

std::string HsaDevice::where() {
  return api.where ? whole_text(api.where) : std::string();
}

llvm::Error HsaDevice::set_option(llvm::StringRef name, llvm::StringRef value) {
  if (!api.set_option)
    return Device::set_option(name, value);
  if (api.set_option(name.str().c_str(), value.str().c_str()) !=
      HSA_STATUS_SUCCESS)
    return failure(status::Failed, "--{0}: the emulator does not know '{1}'",
                   name, value);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Module>>
HsaDevice::load(const Image &image, const LaunchSettings &settings) {
  if (settings.heap_size)
    device_heap->set_limit(*settings.heap_size);
  auto module = std::make_unique<HsaModule>(*this, image, settings);
  if (llvm::Error error = module->load())
    return std::move(error);
  return std::unique_ptr<Module>(std::move(module));
}

HsaModule::~HsaModule() {
  if (device.hung)
    return;
  if (executable.handle)
    device.api.hsa_executable_destroy(executable);
  if (reader.handle)
    device.api.hsa_code_object_reader_destroy(reader);
}

llvm::Error HsaModule::load() {
  const Api &api = device.api;
  auto check = [&](hsa_status_t result) -> llvm::Error {
    if (result == HSA_STATUS_SUCCESS)
      return llvm::Error::success();
    return failure(status::NotRunnable, "{0}: {1} cannot load it: {2}",
                   image.name(), device.facts.spec(), api.describe(result));
  };
  if (llvm::Error error = check(api.hsa_code_object_reader_create_from_memory(
          image.bytes().data(), image.bytes().size(), &reader)))
    return error;
  if (llvm::Error error = check(api.hsa_executable_create_alt(
          HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "",
          &executable)))
    return error;
  if (llvm::Error error = check(api.hsa_executable_load_agent_code_object(
          executable, device.agent, reader, "", nullptr)))
    return error;
  return check(api.hsa_executable_freeze(executable, ""));
}

llvm::Expected<hsa_executable_symbol_t>
HsaModule::symbol(const std::string &name) {
  hsa_executable_symbol_t found{};
  hsa_status_t result = device.api.hsa_executable_get_symbol_by_name(
      executable, name.c_str(), &device.agent, &found);
  if (result != HSA_STATUS_SUCCESS)
    return failure(status::NotRunnable, "{0}: symbol '{1}': {2}", image.name(),
                   name, device.api.describe(result));
  return found;
}

llvm::Expected<std::optional<uint64_t>>
HsaModule::find_global(llvm::StringRef name) {
  const Global *global = image.find_global(name);
  if (!global || !global->defined)
    return std::nullopt;
  llvm::Expected<hsa_executable_symbol_t> found = symbol(name.str());
  if (!found)
    return found.takeError();
  uint64_t address = 0;
  if (llvm::Error error = device.api.check(
          device.api.hsa_executable_symbol_get_info(
              *found, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address),
          "address of a variable"))
    return std::move(error);
  return address;
}

llvm::Expected<uint32_t>
HsaModule::private_size(const Kernel &kernel, hsa_executable_symbol_t symbol) {
  uint32_t fixed = 0;
  bool dynamic = kernel.resources.dynamic_stack;
  if (llvm::Error error = device.api.check(
          device.api.hsa_executable_symbol_get_info(
              symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
              &fixed),
          "private segment size"))
    return std::move(error);
  if (!dynamic)
    return fixed; // the compiler knows: more would only cost
  uint64_t wanted =
      std::max<uint64_t>(settings.stack_size.value_or(DYNAMIC_STACK), fixed);
  if (wanted > MAX_STACK)
    return failure(status::Failed,
                   "--stack-size: {0} bytes per thread, where the device has "
                   "at most {1}",
                   wanted, MAX_STACK);
  return uint32_t((wanted + 15) / 16 * 16);
}

llvm::Error HsaModule::launch(const Kernel &kernel, const Grid &grid,
                              llvm::ArrayRef<std::byte> arguments) {
  llvm::Expected<hsa_executable_symbol_t> found = symbol(kernel.symbol);
  if (!found)
    return found.takeError();
  uint64_t object = 0;
  if (llvm::Error error = device.api.check(
          device.api.hsa_executable_symbol_get_info(
              *found, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object),
          "kernel object"))
    return error;
  llvm::Expected<uint32_t> stack = private_size(kernel, *found);
  if (!stack)
    return stack.takeError();
  return device.dispatch(kernel, grid, object, *stack, arguments);
}

/// The grid in threads; a packet holds 16 bits per block size and 32 per grid.
llvm::Error check_grid(const Kernel &kernel, const Grid &grid) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid.threads[axis] > UINT16_MAX)
      return failure(status::Failed, "--threads-{0}: {1} threads in a block",
                     "xyz"[axis], grid.threads[axis]);
    if (uint64_t(grid.threads[axis]) * grid.blocks[axis] > UINT32_MAX)
      return failure(status::Failed,
                     "--blocks-{0}: {1} blocks of {2} threads exceed what one "
                     "launch can count",
                     "xyz"[axis], grid.blocks[axis], grid.threads[axis]);
  }
  if (kernel.max_threads && grid.threads_per_block() > kernel.max_threads)
    return failure(status::Failed,
                   "--threads: kernel '{0}' was compiled for at most {1} "
                   "threads in a block, not {2}",
                   kernel.name, kernel.max_threads, grid.threads_per_block());
  return llvm::Error::success();
}

llvm::Error HsaDevice::dispatch(const Kernel &kernel, const Grid &grid,
                                uint64_t kernel_object, uint32_t private_size,
                                llvm::ArrayRef<std::byte> arguments) {
  if (llvm::Error error = check_grid(kernel, grid))
    return error;
  KernargFacts kernarg_facts;
  kernarg_facts.queue_address = reinterpret_cast<uint64_t>(queue);
  llvm::Expected<std::vector<std::byte>> block =
      fill_kernarg(kernel, grid, kernarg_facts, arguments);
  if (!block)
    return block.takeError();

  void *kernarg = nullptr;
  if (!block->empty()) {
    if (llvm::Error error =
            api.check(api.hsa_amd_memory_pool_allocate(
                          *kernarg_pool, block->size(), 0, &kernarg),
                      "allocating kernel arguments"))
      return error;
    if (llvm::Error error = api.check(
            api.hsa_amd_agents_allow_access(1, &agent, nullptr, kernarg),
            "giving the device access to kernel arguments")) {
      api.hsa_amd_memory_pool_free(kernarg);
      return error;
    }
    std::memcpy(kernarg, block->data(), block->size());
  }

  api.hsa_signal_store_screlease(completion, 1);
  fault->waiting_signal.store(completion.handle);

  hsa_kernel_dispatch_packet_t packet{};
  packet.workgroup_size_x = grid.threads[0];
  packet.workgroup_size_y = grid.threads[1];
  packet.workgroup_size_z = grid.threads[2];
  packet.grid_size_x = grid.threads[0] * grid.blocks[0];
  packet.grid_size_y = grid.threads[1] * grid.blocks[1];
  packet.grid_size_z = grid.threads[2] * grid.blocks[2];
  packet.private_segment_size = private_size;
  packet.group_segment_size = uint32_t(kernel.shared_size);
  packet.kernel_object = kernel_object;
  packet.kernarg_address = kernarg;
  packet.completion_signal = completion;
  uint16_t setup = dimensions(grid)
                   << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
  uint16_t header =
      (HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE) |
      (1 << HSA_PACKET_HEADER_BARRIER) |
      (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) |
      (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);

  // Only this thread writes to the queue and each launch is waited for, so a
  // slot is free.
  uint64_t index = api.hsa_queue_add_write_index_relaxed(queue, 1);
  auto *slot =
      static_cast<hsa_kernel_dispatch_packet_t *>(queue->base_address) +
      (index & (queue->size - 1));
  std::memcpy(reinterpret_cast<char *>(slot) + 4,
              reinterpret_cast<char *>(&packet) + 4, sizeof(packet) - 4);
  // Header and setup last and at once: from here on the packet is the device's.
  __atomic_store_n(reinterpret_cast<uint32_t *>(slot),
                   uint32_t(header) | uint32_t(setup) << 16, __ATOMIC_RELEASE);
  api.hsa_signal_store_screlease(queue->doorbell_signal,
                                 hsa_signal_value_t(index));

  uint64_t hertz = 0;
  api.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hertz);
  uint64_t ticks = uint64_t(double(hertz) * RECHECK_SECONDS);
  hsa_signal_value_t value = 1;
  while (value > 0 && !fault->happened.load())
    value = api.hsa_signal_wait_scacquire(completion, HSA_SIGNAL_CONDITION_LT,
                                          1, ticks, HSA_WAIT_STATE_BLOCKED);
  fault->waiting_signal.store(0);
  if (fault->happened.load()) {
    hung = true; // waves may still be running: leave their memory alone
    return fault_error(kernel);
  }
  if (kernarg)
    api.hsa_amd_memory_pool_free(kernarg);
  return llvm::Error::success();
}

llvm::Error HsaDevice::fault_error(const Kernel &kernel) {
  std::lock_guard lock(fault->mutex);
  std::string report;
  if (api.fault_report)
    if (const char *text = api.fault_report())
      report = text;
  std::string message = llvm::formatv("kernel '{0}': ", kernel.name).str();
  if (fault->memory) {
    message += llvm::formatv("memory fault at {0:x16}", fault->address).str();
    if (fault->reason & HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT)
      message += ", not mapped";
    if (fault->reason & HSA_AMD_MEMORY_FAULT_READ_ONLY)
      message += ", read-only";
    if (fault->reason & HSA_AMD_MEMORY_FAULT_NX)
      message += ", not executable";
  } else {
    message += api.describe(fault->queue_status);
  }
  return llvm::make_error<DeviceFault>(std::move(message), std::move(report));
}

std::string HsaDevice::statistics(bool json) {
  return api.statistics ? whole_text([&](char *buffer, size_t size) {
    return api.statistics(buffer, size, json);
  })
                        : std::string();
}

} // namespace

llvm::Expected<std::unique_ptr<Device>>
open_device(std::shared_ptr<Runtime> runtime, uint32_t index) {
  llvm::Expected<std::vector<hsa_agent_t>> agents = runtime->gpu_agents();
  if (!agents)
    return agents.takeError();
  if (index >= agents->size())
    return failure(
        status::Failed, "no device {0}:{1}: there {2} {3}",
        to_string(runtime->backend), index, agents->size() == 1 ? "is" : "are",
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
