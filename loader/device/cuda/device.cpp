//===-- loader/device/cuda/device.cpp - Opening an NVIDIA GPU, its memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/device.h"
#include "loader/device/stack_limits.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>

namespace gpuexec::cuda {

/// Formatted output on the device and recursion need more than the driver's 1
/// KiB; LLVM's loaders give 3 KiB. The driver takes memory for every thread
/// that the device can hold; a larger stack is given where all stacks together
/// are a small part of the device's memory.
static constexpr uint64_t SMALLEST_STACK = 3072, USUAL_STACK = 8192;
// On an emulated GPU a stack takes memory only where it is used.
static constexpr uint64_t EMULATED_STACK = 1 << 20;
// The usual stacks of all threads take at most 1/32 of the memory.
static constexpr uint64_t STACK_SHARE = 32;
// Where the compiler cannot tell the depth of recursion or of calls through
// pointers, stacks take up to 1/8 of the free memory.
static constexpr uint64_t DEEP_SHARE = 8;
// Such a program gets room for all of its large frames, because each may be on
// the path from main, where stacks then take up to 1/4 of the free memory.
static constexpr uint64_t PATHS_SHARE = 4;
static constexpr uint64_t DRIVERS_STACK = 1024; // a new context's default
// Of several processes that share the GPU all stacks together take at most this
// part of the memory.
static constexpr uint64_t SHARED_PART = 4;
/// Bytes of heap that are mapped at first when the user chose no size; the heap
/// grows.
static constexpr uint64_t DEFAULT_HEAP = 512u << 20, SMALLEST_HEAP = 8u << 20;

llvm::Error CudaDevice::initialise() {
  if (llvm::Error error =
          api.check(api.cuDeviceGet(&device, int(facts.index - api.others)),
                    "cuDeviceGet"))
    return error;
  // Waiting must not burn a core beside the server's thread. Refused when
  // something in this process has the context already: then it stays as it is.
  api.cuDevicePrimaryCtxSetFlags_v2(device, CU_CTX_SCHED_BLOCKING_SYNC);
  if (llvm::Error error = api.check(api.retry_while_out_of_memory([&] {
        return api.cuDevicePrimaryCtxRetain(&context, device);
      }),
                                    "opening the device"))
    return error;
  if (llvm::Error error =
          api.check(api.cuCtxSetCurrent(context), "cuCtxSetCurrent"))
    return error;
  if (llvm::Error error = kernels.create())
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
  kernels.destroy();
  if (context)
    api.cuDevicePrimaryCtxRelease_v2(device);
}

/// Bytes for each thread. The driver reserves them for every thread that the
/// device could run at once.
uint64_t CudaDevice::default_stack(const Image &image) {
  if (api.is_emulated)
    return EMULATED_STACK;
  const uint64_t part =
      shared ? facts.memory / SHARED_PART / shared->most : facts.memory;
  const uint64_t usual = std::clamp<uint64_t>(
      std::min(facts.memory / STACK_SHARE, part) / threads_of_gpu,
      SMALLEST_STACK, USUAL_STACK);
  if (!image.has_unknown_stack())
    return usual;
  if (shared)
    stack_share = part / threads_of_gpu;
  // All programs of an open device get the same share, because cuMemGetInfo()
  // takes time.
  size_t unused = 0, total = 0;
  if ((!kept_open || !stack_share) &&
      api.cuMemGetInfo_v2(&unused, &total) == CUDA_SUCCESS)
    stack_share = unused / DEEP_SHARE / threads_of_gpu;
  const uint64_t most =
      shared ? stack_share : stack_share * DEEP_SHARE / PATHS_SHARE;
  const uint64_t path = std::min(image.large_frames(), most);
  return stack_of_unknown_depth(stack_share, usual,
                                std::max(path, image.largest_frames()));
}

llvm::Error CudaDevice::set_limits(const Image &image,
                                   const LaunchSettings &settings) {
  const uint64_t wanted =
      settings.stack_size ? *settings.stack_size : default_stack(image);
  // The next program keeps the stack of the one before, unless a user chose
  // that: changing it takes milliseconds.
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
  // Beside many other processes take less, unless a user asked for a size.
  auto reduce = [&](uint64_t least) {
    while (set == CUDA_ERROR_OUT_OF_MEMORY && stack > least) {
      stack = std::max(stack / 2, least);
      set = set_stack();
    }
  };
  if (!settings.stack_size) {
    // A program whose depth is unknown hardly runs with less than the usual
    // stack and its largest frames: it waits until others end before it gets
    // less.
    reduce(image.has_unknown_stack()
               ? std::min(stack, stack_of_unknown_depth(0, USUAL_STACK,
                                                        image.largest_frames()))
               : DRIVERS_STACK);
    if (set == CUDA_ERROR_OUT_OF_MEMORY)
      set = api.retry_while_out_of_memory(set_stack);
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
  // Other processes may take the memory first: then map less, unless a user
  // asked for a size.
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
  // Programs find out how full a stack is where its addresses fall as it grows,
  // which those of an emulated GPU do not: without limits all of it is used.
  if (!api.is_emulated)
    if (llvm::Error error = write_stack_limits(*this, *module, stack))
      return std::move(error);
  if (llvm::Error error = write_recursion_limit(*this, *module, settings))
    return std::move(error);
  if (kept_open)
    device_heap->set_limit(settings.heap_size.value_or(UINT64_MAX));
  else if (image.rpc_client()) // without it a program cannot ask for memory
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

void CudaDevice::free_host(const HostBuffer &buffer) {
  if (!broken)
    api.cuMemFreeHost(buffer.host);
}

llvm::Expected<DeviceAddress> CudaDevice::allocate_device(uint64_t size) {
  CUdeviceptr address = 0;
  size = std::max<uint64_t>(size, 1);
  // The heap is faster: the driver takes a tenth of a millisecond.
  if (kept_open)
    if (DeviceAddress piece = kernels.allocate_zeroed(size))
      return piece;
  if (llvm::Error error = api.check(api.retry_while_out_of_memory([&] {
        return api.cuMemAlloc_v2(&address, size);
      }),
                                    "allocating device memory"))
    return std::move(error);
  const CUresult result =
      kernels.wait_for(api.cuMemsetD8Async(address, 0, size, kernels.handle()));
  if (llvm::Error error = api.check(result, "clearing device memory")) {
    api.cuMemFree_v2(address);
    return std::move(error);
  }
  return DeviceAddress(address);
}

void CudaDevice::free_device(DeviceAddress address) {
  kernels.forget(address);
  if (!broken && !device_heap->take_back(address))
    api.cuMemFree_v2(address.value);
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

/// Runs a kernel that does nothing, to find out whether the context still
/// works.
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
  const CUresult launched = api.cuLaunchKernel(
      function, 1, 1, 1, 1, 1, 1, 0, kernels.handle(), nullptr, nullptr);
  return api.check(kernels.wait_for(launched), "launching the probe");
}

llvm::Error CudaDevice::clear() {
  if (broken)
    return failure(Reason::failed, "cuda: a program has broken the context");
  if (llvm::Error error = api.check(kernels.clear(), "clearing the heap"))
    return error;
  return launch_probe(); // which waits for the clearing, too
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

llvm::Expected<std::unique_ptr<Device>>
open_device(const Api &api, uint32_t index, std::unique_ptr<FaultReport> faults,
            SharedContext *shared) {
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
  int has_service = 1; // older drivers do not say
  if (shared &&
      api.cuDeviceGetAttribute(&has_service, CU_DEVICE_ATTRIBUTE_MPS_ENABLED,
                               int(index)) == CUDA_SUCCESS &&
      !has_service)
    return failure(Reason::failed,
                   "cuda:{0}: NVIDIA's MPS does not work with it", index);
  auto device = std::make_unique<CudaDevice>(api, std::move(*info),
                                             std::move(faults), shared);
  if (llvm::Error error = device->initialise())
    return std::move(error);
  return std::unique_ptr<Device>(std::move(device));
}

} // namespace gpuexec::cuda
