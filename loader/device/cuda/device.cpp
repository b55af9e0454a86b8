//===-- loader/device/cuda/device.cpp - An NVIDIA GPU ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary context, one non-blocking stream for kernels and one for
// everything that happens while they run. Launching may block
// (CUDA_LAUNCH_BLOCKING=1), so the RPC server is always a thread of its own.
// llvm-gpu-abi.md 4.6.
//===----------------------------------------------------------------------===//
#include "loader/device/cuda/heap.h"
#include "loader/device/stack_limits.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <mutex>

namespace gpuexec::cuda {
namespace {

/// Formatted output on the device and recursion need more than the driver's
/// 1 KiB; LLVM's loaders give 3 KiB. Memory is taken for every thread that the
/// device can hold, so more is given only where it is a small part of it.
constexpr uint64_t SMALLEST_STACK = 3072, USUAL_STACK = 8192;
constexpr uint64_t STACK_SHARE = 32; // of the memory, at most one such part
// For recursion and calls through pointers, whose depth the compiler cannot
// tell: a part of the memory that is free.
constexpr uint64_t DEEP_SHARE = 8;
constexpr uint64_t DRIVERS_STACK = 1024; // what a context begins with
/// The heap that is mapped ahead when nobody asked for a size; it grows.
constexpr uint64_t DEFAULT_HEAP = 512u << 20, SMALLEST_HEAP = 8u << 20;
/// The driver's compiler says what is wrong with PTX in so many bytes.
constexpr size_t LOG_SIZE = 16 * 1024;

class CudaDevice;

class CudaModule final : public Module {
public:
  CudaModule(CudaDevice &device, const Image &image)
      : device(device), image(image) {}
  ~CudaModule() override;
  llvm::Error load();
  llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) override;
  llvm::Error launch(llvm::ArrayRef<KernelLaunch> kernels) override;
  size_t ended() override;
  Resources resources(const Kernel &kernel) override;

private:
  CUresult link(CUjit_option (&names)[2], void *(&values)[2]);
  llvm::Expected<CUfunction> function(const Kernel &kernel);
  /// A kernel whose code is on the device.
  struct Ready {
    CUfunction function = nullptr;
    /// The driver takes memory for its threads first, and waits for kernels.
    bool needs_memory = false;
  };
  llvm::Expected<Ready> prepare(const KernelLaunch &launch);
  CUresult put_into_stream(llvm::ArrayRef<KernelLaunch> kernels,
                           llvm::ArrayRef<Ready> ready);
  CudaDevice &device;
  const Image &image;
  CUmodule module = nullptr;
};

class CudaDevice final : public Device {
public:
  CudaDevice(const Api &api, DeviceInfo info,
             std::unique_ptr<FaultReport> faults)
      : api(api), facts(std::move(info)), faults(std::move(faults)) {}
  ~CudaDevice() override;
  llvm::Error initialise();

  const DeviceInfo &info() const override { return facts; }
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) override;
  llvm::Expected<HostBuffer> allocate_host(uint64_t size) override;
  void free_host(const HostBuffer &buffer) override;
  llvm::Expected<DeviceAddress> allocate_device(uint64_t size) override;
  void free_device(DeviceAddress address) override;
  void will_read(DeviceAddress address, uint64_t size) override;
  llvm::Error copy_to_device(DeviceAddress to,
                             llvm::ArrayRef<std::byte> from) override;
  llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                               DeviceAddress from) override;
  rpc::DeviceMemory &heap() override { return *device_heap; }
  std::optional<MemoryRange> range_of(DeviceAddress address) override {
    return device_heap->range_of(address);
  }
  llvm::Error keep_open() override;
  void enter_thread() override { api.cuCtxSetCurrent(context); }
  llvm::Expected<DeviceAddress>
  register_host(llvm::MutableArrayRef<std::byte> memory) override;
  llvm::Error clear() override;
  HostFiles host_files() const override;

private:
  friend class CudaModule;
  uint64_t default_stack(const Image &image);
  llvm::Error set_limits(const Image &image, const LaunchSettings &settings);
  llvm::Error set_stack_limit(const Image &image,
                              const LaunchSettings &settings, uint64_t wanted);
  llvm::Error map_heap(const LaunchSettings &settings);
  /// Waits for what was just put into the stream; `begun` is what that said.
  CUresult wait_for(CUresult begun) const {
    return begun == CUDA_SUCCESS ? api.wait(stream) : begun;
  }
  // With the mutex held:
  /// Waits for what nobody has waited for.
  llvm::Error settle();
  void begin_read_back();
  struct Awaited;
  std::byte *place_of(const Awaited &each);
  // Without it:
  bool has_marks() const;
  void begin_marks();
  bool mark(uint32_t count);
  uint32_t marks_seen() const;
  /// As Api::check, but a program that broke is a DeviceFault.
  llvm::Error finish(CUresult result, const Kernel &kernel);
  llvm::Error launch_probe();

  const Api api;
  DeviceInfo facts;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  const std::unique_ptr<FaultReport> faults; // null: nobody asked
  std::unique_ptr<Heap> device_heap;
  uint64_t stack = 0;      // bytes that each thread has been given
  uint64_t stack_share = 0; // of free memory, for unknown depths; 0: not known
  bool stack_was_chosen = false; // by a user
  bool broken = false; // a fault poisons the context: nothing can be freed
  bool kept_open = false;
  // A wait costs a turn of the GPU where several processes use it. What the
  // loader sets up for a kernel is put into the kernel's stream instead, and
  // what it will read is read back behind the kernel.
  std::mutex setting_up;  // guards what follows; not held while a kernel runs
  bool in_stream = false; // something that nobody has waited for
  uint64_t staged = 0;    // bytes of the small buffer that it uses
  struct Awaited {
    DeviceAddress address;
    uint64_t size;
  };
  std::vector<Awaited> awaited;  // of will_read()
  bool awaited_are_read = false; // since the last kernel
  // For ended(), from any thread:
  std::atomic<uint32_t> mark_before = 0; // of the last launch
  std::atomic<uint32_t> kernels_ended = 0;
  CUmodule probe = nullptr; // of launch_probe()
  std::vector<std::byte *> registered;
};

llvm::Error CudaDevice::initialise() {
  if (llvm::Error error =
          api.check(api.cuDeviceGet(&device, int(facts.index)), "cuDeviceGet"))
    return error;
  // Waiting must not burn a core beside the server's thread. Refused when
  // something in this process has the context already: then it stays as it is.
  api.cuDevicePrimaryCtxSetFlags_v2(device, CU_CTX_SCHED_BLOCKING_SYNC);
  if (llvm::Error error = api.check(api.patiently([&] {
        return api.cuDevicePrimaryCtxRetain(&context, device);
      }),
                                    "opening the device"))
    return error;
  if (llvm::Error error =
          api.check(api.cuCtxSetCurrent(context), "cuCtxSetCurrent"))
    return error;
  if (llvm::Error error =
          api.check(api.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
                    "creating a stream"))
    return error;
  if (faults)
    faults->driver_is_ready();
  device_heap = std::make_unique<Heap>(api, context, device);
  return device_heap->initialise();
}

CudaDevice::~CudaDevice() {
  if (broken)
    return; // the driver cleans up with the process
  device_heap.reset();
  if (probe)
    api.cuModuleUnload(probe);
  for (std::byte *memory : registered)
    api.cuMemHostUnregister(memory);
  if (stream)
    api.cuStreamDestroy_v2(stream);
  if (context)
    api.cuDevicePrimaryCtxRelease_v2(device);
}

/// Bytes for each thread. The driver reserves them for every thread that the
/// device could run at once.
uint64_t CudaDevice::default_stack(const Image &image) {
  const uint64_t threads = std::max<uint64_t>(facts.resident_waves() * 32, 1);
  const uint64_t usual = std::clamp<uint64_t>(
      facts.memory / STACK_SHARE / threads, SMALLEST_STACK, USUAL_STACK);
  if (!image.has_unknown_stack())
    return usual;
  // Many programs: each is to have what the first one had, without asking.
  size_t unused = 0, total = 0;
  if ((!kept_open || !stack_share) &&
      api.cuMemGetInfo_v2(&unused, &total) == CUDA_SUCCESS)
    stack_share = unused / DEEP_SHARE / threads;
  return stack_of_unknown_depth(stack_share, usual, image.largest_frame());
}

llvm::Error CudaDevice::set_limits(const Image &image,
                                   const LaunchSettings &settings) {
  const uint64_t wanted =
      settings.stack_size ? *settings.stack_size : default_stack(image);
  // What one program needed is left for the next, unless a user chose it: to
  // change it takes milliseconds.
  const bool stays =
      kept_open && !settings.stack_size && !stack_was_chosen && stack >= wanted;
  stack_was_chosen = settings.stack_size.has_value();
  if (!stays)
    if (llvm::Error error = set_stack_limit(image, settings, wanted))
      return error;
  if (!settings.heap_size)
    return llvm::Error::success();
  return api.check(
      api.cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, *settings.heap_size),
      "setting the heap size");
}

llvm::Error CudaDevice::set_stack_limit(const Image &image,
                                        const LaunchSettings &settings,
                                        uint64_t wanted) {
  stack = wanted;
  auto set_stack = [&] {
    return api.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, stack);
  };
  CUresult set = set_stack();
  // Beside many other processes less has to do, as long as nobody asked.
  auto reduce = [&](uint64_t least) {
    while (set == CUDA_ERROR_OUT_OF_MEMORY && stack > least) {
      stack = std::max(stack / 2, least);
      set = set_stack();
    }
  };
  if (!settings.stack_size) {
    // A program whose depth is unknown hardly runs with less than the usual
    // stack and its largest frame: it waits until others end before it gets
    // less.
    reduce(image.has_unknown_stack()
               ? std::min(stack, stack_of_unknown_depth(0, USUAL_STACK,
                                                        image.largest_frame()))
               : DRIVERS_STACK);
    if (set == CUDA_ERROR_OUT_OF_MEMORY)
      set = api.patiently(set_stack);
    reduce(DRIVERS_STACK);
  }
  return api.check(set, "setting the stack size");
}

llvm::Error CudaDevice::map_heap(const LaunchSettings &settings) {
  size_t unused = 0, total = 0;
  if (llvm::Error error =
          api.check(api.cuMemGetInfo_v2(&unused, &total), "free memory"))
    return error;
  uint64_t size =
      settings.heap_size.value_or(std::min<uint64_t>(DEFAULT_HEAP, unused / 4));
  const char *what = "";
  const uint64_t limit = settings.heap_size ? size : total;
  CUresult result = device_heap->map(size, limit, what);
  // Other processes may take it first: then less has to do, as long as nobody
  // asked.
  while (result == CUDA_ERROR_OUT_OF_MEMORY && !settings.heap_size &&
         size / 2 >= SMALLEST_HEAP) {
    size /= 2;
    result = device_heap->map(size, limit, what);
  }
  return api.check(result, what);
}

llvm::Expected<std::unique_ptr<Module>>
CudaDevice::load(const Image &image, const LaunchSettings &settings) {
  if (llvm::Error error = set_limits(image, settings))
    return std::move(error);
  auto module = std::make_unique<CudaModule>(*this, image);
  if (llvm::Error error = module->load())
    return std::move(error);
  if (llvm::Error error = write_stack_limits(*this, *module, stack))
    return std::move(error);
  if (llvm::Error error = write_recursion_limit(*this, *module, settings))
    return std::move(error);
  if (kept_open)
    device_heap->set_limit(settings.heap_size.value_or(UINT64_MAX));
  else if (image.rpc_client()) // nobody else can ask for memory
    if (llvm::Error error = map_heap(settings))
      return std::move(error);
  return std::unique_ptr<Module>(std::move(module));
}

llvm::Expected<HostBuffer> CudaDevice::allocate_host(uint64_t size) {
  void *memory = nullptr;
  if (llvm::Error error =
          api.check(api.cuMemHostAlloc(&memory, std::max<uint64_t>(size, 1),
                                       CU_MEMHOSTALLOC_PORTABLE |
                                           CU_MEMHOSTALLOC_DEVICEMAP),
                    "allocating pinned memory"))
    return std::move(error);
  CUdeviceptr address = 0;
  if (llvm::Error error =
          api.check(api.cuMemHostGetDevicePointer_v2(&address, memory, 0),
                    "address of pinned memory")) {
    api.cuMemFreeHost(memory);
    return std::move(error);
  }
  std::memset(memory, 0, size);
  return HostBuffer{static_cast<std::byte *>(memory), DeviceAddress(address),
                    size};
}

llvm::Error CudaDevice::keep_open() {
  kept_open = true;
  if (llvm::Error error = map_heap({}))
    return error;
  return launch_probe();
}

llvm::Expected<DeviceAddress>
CudaDevice::register_host(llvm::MutableArrayRef<std::byte> memory) {
  if (llvm::Error error =
          api.check(api.cuMemHostRegister_v2(memory.data(), memory.size(),
                                             CU_MEMHOSTREGISTER_PORTABLE |
                                                 CU_MEMHOSTREGISTER_DEVICEMAP),
                    "registering memory"))
    return std::move(error);
  registered.push_back(memory.data());
  CUdeviceptr address = 0;
  if (llvm::Error error = api.check(
          api.cuMemHostGetDevicePointer_v2(&address, memory.data(), 0),
          "address of registered memory"))
    return std::move(error);
  return DeviceAddress(address);
}

/// A kernel that does nothing: whether a context still works is known only when
/// something has run in it.
llvm::Error CudaDevice::launch_probe() {
  static constexpr char PTX[] = ".version 6.0\n.target sm_50\n"
                                ".address_size 64\n"
                                ".visible .entry probe() { ret; }\n";
  if (!probe)
    if (llvm::Error error =
            api.check(api.cuModuleLoadDataEx(&probe, PTX, 0, nullptr, nullptr),
                      "loading the probe"))
      return error;
  CUfunction function = nullptr;
  if (llvm::Error error = api.check(
          api.cuModuleGetFunction(&function, probe, "probe"), "the probe"))
    return error;
  return api.check(wait_for(api.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0,
                                               stream, nullptr, nullptr)),
                   "launching the probe");
}

llvm::Error CudaDevice::clear() {
  if (broken)
    return failure(Reason::failed, "cuda: a program has broken the context");
  std::lock_guard lock(setting_up);
  awaited.clear();
  awaited_are_read = false;
  in_stream = false;
  staged = 0;
  if (llvm::Error error =
          api.check(device_heap->clear(stream), "clearing the heap"))
    return error;
  return launch_probe(); // and waits
}

HostFiles CudaDevice::host_files() const {
  HostFiles files;
  files.readable = system_libraries();
  files.readable.push_back("/proc/driver/nvidia");
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/dev", error), end;
       !error && entry != end; entry.increment(error))
    if (llvm::sys::path::filename(entry->path()).starts_with("nvidia"))
      files.devices.push_back(entry->path());
  return files;
}

void CudaDevice::free_host(const HostBuffer &buffer) {
  if (!broken)
    api.cuMemFreeHost(buffer.host);
}

void CudaDevice::will_read(DeviceAddress address, uint64_t size) {
  std::lock_guard lock(setting_up);
  for (const Awaited &each : awaited)
    if (lies_in(address, size, each.address, each.size))
      return;
  if (awaited.size() < MOST_AWAITED && size <= LARGEST_AWAITED)
    awaited.push_back({address, size});
}

llvm::Expected<DeviceAddress> CudaDevice::allocate_device(uint64_t size) {
  CUdeviceptr address = 0;
  size = std::max<uint64_t>(size, 1);
  std::lock_guard lock(setting_up);
  // The driver takes a tenth of a millisecond.
  if (kept_open)
    if (DeviceAddress piece = device_heap->allocate_zeroed(size, stream)) {
      in_stream = true;
      return piece;
    }
  if (llvm::Error error = api.check(
          api.patiently([&] { return api.cuMemAlloc_v2(&address, size); }),
          "allocating device memory"))
    return std::move(error);
  CUresult result = wait_for(api.cuMemsetD8Async(address, 0, size, stream));
  if (llvm::Error error = api.check(result, "clearing device memory")) {
    api.cuMemFree_v2(address);
    return std::move(error);
  }
  return DeviceAddress(address);
}

void CudaDevice::free_device(DeviceAddress address) {
  std::lock_guard lock(setting_up);
  std::erase_if(awaited,
                [&](const Awaited &each) { return each.address == address; });
  awaited_are_read = false; // each has its place by its number
  if (!broken && !device_heap->take_back(address))
    api.cuMemFree_v2(address.value);
}

llvm::Error CudaDevice::copy_to_device(DeviceAddress to,
                                       llvm::ArrayRef<std::byte> from) {
  std::lock_guard lock(setting_up);
  awaited_are_read = false;
  const llvm::MutableArrayRef<std::byte> buffer =
      device_heap->small_buffer().drop_back(MOST_AWAITED * LARGEST_AWAITED);
  if (from.size() > buffer.size() - staged)
    if (llvm::Error error = settle())
      return error;
  if (from.empty() || from.size() > buffer.size())
    return device_heap->write(to, from.data(), from.size());
  api.cuCtxSetCurrent(context);
  if (llvm::Error error = device_heap->check_range(to, from.size()))
    return error;
  std::byte *bytes = buffer.data() + staged;
  std::memcpy(bytes, from.data(), from.size());
  staged += from.size();
  in_stream = true;
  return api.check(
      api.cuMemcpyHtoDAsync_v2(to.value, bytes, from.size(), stream),
      "copying to the device");
}

llvm::Error CudaDevice::settle() {
  if (!std::exchange(in_stream, false))
    return llvm::Error::success();
  staged = 0;
  return api.check(wait_for(CUDA_SUCCESS), "copying to the device");
}

// The stream writes a number behind each kernel but the last, so that it is
// known which one runs, or broke.

bool CudaDevice::has_marks() const {
  return api.cuStreamWriteValue32_v2 && device_heap->mark_address();
}

void CudaDevice::begin_marks() {
  kernels_ended = 0;
  if (has_marks())
    mark_before = device_heap->mark().load(std::memory_order_relaxed);
}

/// So many kernels have ended, once the stream is here. False: nobody will
/// know.
bool CudaDevice::mark(uint32_t count) {
  return has_marks() &&
         api.cuStreamWriteValue32_v2(
             stream, device_heap->mark_address(), mark_before + count,
             CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS;
}

uint32_t CudaDevice::marks_seen() const {
  if (!has_marks())
    return 0;
  return device_heap->mark().load(std::memory_order_acquire) - mark_before;
}

/// Behind a kernel in its stream.
void CudaDevice::begin_read_back() {
  awaited_are_read = true;
  for (const Awaited &each : awaited)
    awaited_are_read &=
        api.cuMemcpyDtoHAsync_v2(place_of(each), each.address.value, each.size,
                                 stream) == CUDA_SUCCESS;
}

/// Where it is read back to.
std::byte *CudaDevice::place_of(const Awaited &each) {
  return device_heap->small_buffer().end() -
         (MOST_AWAITED - size_t(&each - awaited.data())) * LARGEST_AWAITED;
}

llvm::Error CudaDevice::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                         DeviceAddress from) {
  std::lock_guard lock(setting_up);
  if (llvm::Error error = settle())
    return error;
  for (const Awaited &each : awaited)
    if (awaited_are_read && lies_in(from, to.size(), each.address, each.size)) {
      std::memcpy(to.data(), place_of(each) + (from - each.address), to.size());
      return llvm::Error::success();
    }
  return device_heap->read(to.data(), from, to.size());
}

llvm::Error CudaDevice::finish(CUresult result, const Kernel &kernel) {
  if (result == CUDA_SUCCESS)
    return llvm::Error::success();
  std::string reason = api.describe(result);
  if (!is_fault(result))
    return failure(Reason::failed, "cuda: kernel '{0}': {1}", kernel.name,
                   reason);
  broken = true;
  std::string hint = faults ? faults->take(api.dump_patience)
                            : "  --fault-report tells where: thread, function "
                              "and line\n";
  // The driver does not tell a stack that was too small from a wild pointer.
  if (result == CUDA_ERROR_ILLEGAL_ADDRESS ||
      result == CUDA_ERROR_HARDWARE_STACK_ERROR ||
      result == CUDA_ERROR_LAUNCH_FAILED)
    hint +=
        llvm::formatv("  each thread had {0} bytes of stack; a program that "
                      "needs more ends like this (--stack-size)\n",
                      stack);
  return llvm::make_error<DeviceFault>(
      llvm::formatv("kernel '{0}': {1}", kernel.name, reason).str(), hint);
}

CudaModule::~CudaModule() {
  if (module && !device.broken)
    device.api.cuModuleUnload(module);
}

/// The log's lines as one, so that an error stays a line.
std::string joined(llvm::StringRef log) {
  std::string text;
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.empty())
      continue;
    text += text.empty() ? "" : "; ";
    text += line;
  }
  return text;
}

/// PTX of several modules, each of which ends with a zero byte.
CUresult CudaModule::link(CUjit_option (&names)[2], void *(&values)[2]) {
  const Api &api = device.api;
  if (!api.cuLinkCreate_v2 || !api.cuLinkAddData_v2 || !api.cuLinkComplete ||
      !api.cuLinkDestroy)
    return CUDA_ERROR_NOT_SUPPORTED;
  CUlinkState state = nullptr;
  CUresult result = api.cuLinkCreate_v2(2, names, values, &state);
  if (result != CUDA_SUCCESS)
    return result;
  llvm::SmallVector<llvm::StringRef> modules;
  image.bytes().split(modules, '\0', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef text : modules)
    if (result == CUDA_SUCCESS && !text.trim().empty())
      result = api.cuLinkAddData_v2(
          state, CU_JIT_INPUT_PTX, const_cast<char *>(text.data()),
          text.size() + 1, image.name().str().c_str(), 0, nullptr, nullptr);
  void *cubin = nullptr; // the state's
  size_t size = 0;
  if (result == CUDA_SUCCESS)
    result = api.cuLinkComplete(state, &cubin, &size);
  if (result == CUDA_SUCCESS)
    result = api.cuModuleLoadDataEx(&module, cubin, 0, nullptr, nullptr);
  api.cuLinkDestroy(state);
  return result;
}

llvm::Error CudaModule::load() {
  std::string log(LOG_SIZE, '\0');
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER,
                          CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The API takes sizes as if they were pointers.
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  CUresult result = device.api.patiently([&] {
    values[1] = reinterpret_cast<void *>(log.size() - 1); // it writes its size
    return image.module_count() > 1
               ? link(names, values)
               : device.api.cuModuleLoadDataEx(&module, image.bytes().data(), 2,
                                               names, values);
  });
  if (result == CUDA_SUCCESS)
    return llvm::Error::success();
  std::string details = joined(log.c_str());
  return failure(Reason::not_runnable, "{0}: {1} cannot load it: {2}{3}{4}",
                 image.name(), device.facts.spec(), device.api.describe(result),
                 details.empty() ? "" : ": ", details);
}

llvm::Expected<std::optional<DeviceAddress>>
CudaModule::find_global(llvm::StringRef name) {
  CUdeviceptr address = 0;
  size_t size = 0;
  CUresult result = device.api.cuModuleGetGlobal_v2(&address, &size, module,
                                                    name.str().c_str());
  if (result == CUDA_ERROR_NOT_FOUND)
    return std::nullopt;
  if (llvm::Error error = device.api.check(result, "address of a variable"))
    return std::move(error);
  return DeviceAddress(address);
}

llvm::Expected<CUfunction> CudaModule::function(const Kernel &kernel) {
  CUfunction found = nullptr;
  CUresult result =
      device.api.cuModuleGetFunction(&found, module, kernel.symbol.c_str());
  if (result != CUDA_SUCCESS)
    return failure(Reason::not_runnable, "{0}: kernel '{1}': {2}", image.name(),
                   kernel.name, device.api.describe(result));
  return found;
}

Resources CudaModule::resources(const Kernel &kernel) {
  Resources known = kernel.resources;
  llvm::Expected<CUfunction> found = function(kernel);
  if (!found) {
    llvm::consumeError(found.takeError());
    return known;
  }
  int value = 0;
  if (device.api.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                    *found) == CUDA_SUCCESS)
    known.vgprs = uint32_t(value);
  if (device.api.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                    *found) == CUDA_SUCCESS)
    known.private_size = uint64_t(value);
  return known;
}

/// What follows is of use only when the driver need not load code while kernels
/// run: it would wait for them, and they may wait for what this process does
/// through the driver.
llvm::Expected<CudaModule::Ready>
CudaModule::prepare(const KernelLaunch &launch) {
  const Kernel &kernel = *launch.kernel;
  llvm::Expected<CUfunction> found = function(kernel);
  if (!found)
    return found.takeError();
  const Api &api = device.api;
  int most = 0, stack = 0;
  if (api.cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                             *found) == CUDA_SUCCESS &&
      most > 0 && launch.grid.threads_per_block() > uint64_t(most))
    return failure(Reason::failed,
                   "--threads: kernel '{0}' can have at most {1} threads in a "
                   "block on this device, not {2}",
                   kernel.name, most, launch.grid.threads_per_block());
  if (launch.arguments.size() != kernel.arguments_size)
    return failure(Reason::not_runnable,
                   "kernel '{0}' takes {1} bytes of arguments, not {2}",
                   kernel.name, kernel.arguments_size, launch.arguments.size());
  const bool is_known =
      api.cuFuncGetAttribute(&stack, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                             *found) == CUDA_SUCCESS;
  return Ready{*found, !is_known || uint64_t(stack) > device.stack};
}

/// Up to the first one that fails.
CUresult CudaModule::put_into_stream(llvm::ArrayRef<KernelLaunch> kernels,
                                     llvm::ArrayRef<Ready> ready) {
  const Api &api = device.api;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Grid &grid = kernels[i].grid;
    llvm::ArrayRef<std::byte> arguments = kernels[i].arguments;
    size_t size = arguments.size();
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER,
                     const_cast<std::byte *>(arguments.data()),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    CUresult result = api.cuLaunchKernel(
        ready[i].function, grid.blocks[0], grid.blocks[1], grid.blocks[2],
        grid.threads[0], grid.threads[1], grid.threads[2], 0, device.stream,
        nullptr, size ? extra : nullptr);
    if (result != CUDA_SUCCESS)
      return result;
    if (i + 1 == kernels.size())
      break;
    if (device.mark(uint32_t(i + 1)) && !ready[i + 1].needs_memory)
      continue;
    if (CUresult ended = device.wait_for(CUDA_SUCCESS))
      return ended;
    device.kernels_ended = uint32_t(i + 1);
  }
  return CUDA_SUCCESS;
}

size_t CudaModule::ended() {
  return std::max(device.kernels_ended.load(), device.marks_seen());
}

llvm::Error CudaModule::launch(llvm::ArrayRef<KernelLaunch> kernels) {
  llvm::SmallVector<Ready, 4> ready;
  for (const KernelLaunch &each : kernels) {
    llvm::Expected<Ready> next = prepare(each);
    if (!next)
      return next.takeError();
    ready.push_back(*next);
  }
  device.begin_marks();
  CUresult result = put_into_stream(kernels, ready);
  if (result == CUDA_SUCCESS) {
    std::lock_guard lock(device.setting_up);
    device.begin_read_back();
  }
  // Also what was put there before one that failed.
  CUresult ended = device.wait_for(CUDA_SUCCESS);
  if (ended != CUDA_SUCCESS)
    result = ended;
  {
    std::lock_guard lock(device.setting_up);
    device.awaited_are_read &= result == CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) { // what was set up before has ended, too
      device.in_stream = false;
      device.staged = 0;
    }
  }
  return device.finish(
      result, *kernels[std::min(this->ended(), kernels.size() - 1)].kernel);
}

} // namespace

llvm::Expected<std::unique_ptr<Device>>
open_device(const Api &api, uint32_t index,
            std::unique_ptr<FaultReport> faults) {
  int count = 0;
  if (llvm::Error error =
          api.check(api.cuDeviceGetCount(&count), "counting devices"))
    return std::move(error);
  if (index >= uint32_t(count))
    return failure(Reason::failed, "no device cuda:{0}: there {1} {2}", index,
                   count == 1 ? "is" : "are",
                   count ? std::to_string(count) : std::string("none"));
  llvm::Expected<DeviceInfo> info = describe(api, index);
  if (!info)
    return info.takeError();
  auto device =
      std::make_unique<CudaDevice>(api, std::move(*info), std::move(faults));
  if (llvm::Error error = device->initialise())
    return std::move(error);
  return std::unique_ptr<Device>(std::move(device));
}

} // namespace gpuexec::cuda
