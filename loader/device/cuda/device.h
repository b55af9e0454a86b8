//===-- loader/device/cuda/device.h - An NVIDIA GPU -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses the primary context, one non-blocking stream for kernels and one for
// copies while they run. Launching may block (CUDA_LAUNCH_BLOCKING=1), so the
// RPC server always has threads of its own. Only for the files of this folder.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_DEVICE_H
#define GPUEXEC_LOADER_DEVICE_CUDA_DEVICE_H

#include "loader/device/cuda/heap.h"
#include <atomic>
#include <mutex>

namespace gpuexec::cuda {

class CudaDevice;

/// A kernel whose code is on the device.
struct ReadyKernel {
  CUfunction function = nullptr;
  /// Before it runs the kernel the driver must allocate memory for its threads,
  /// and waits for earlier kernels.
  bool needs_memory = false;
};

class CudaModule final : public Module {
public:
  CudaModule(CudaDevice &device, const Image &image)
      : device(device), image(image) {}
  ~CudaModule() override;
  llvm::Error load();
  llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) override;
  Resources resources(const Kernel &kernel) override;
  /// Finds the kernel and checks the launch.
  llvm::Expected<ReadyKernel> prepare(const KernelLaunch &launch);

private:
  CUresult link(llvm::MutableArrayRef<CUjit_option> names,
                llvm::MutableArrayRef<void *> values);
  llvm::Expected<CUfunction> function(const Kernel &kernel);
  CudaDevice &device;
  const Image &image;
  CUmodule module = nullptr;
};

/// The stream of the kernels. If several processes use the GPU, each wait costs
/// a time slice of the others. Therefore the loader's copies before a kernel
/// are put into the kernel's stream and not waited for, and the bytes of
/// will_read() are copied back behind the kernel.
class CudaQueue final : public Queue {
public:
  explicit CudaQueue(CudaDevice &device) : device(device) {}
  llvm::Error create();
  /// Destroys the stream. The context must still work, and nothing may run.
  void destroy();

  llvm::Error launch(Module &module,
                     llvm::ArrayRef<KernelLaunch> kernels) override;
  size_t ended() override;
  llvm::Error copy_to_device(DeviceAddress to,
                             llvm::ArrayRef<std::byte> from) override;
  llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                               DeviceAddress from) override;
  void will_read(DeviceAddress address, uint64_t size) override;

  // For CudaDevice:
  CUstream handle() const { return stream; }
  /// Waits until the stream has done all its work. `begun`: the result of
  /// putting the last work into it; after an error returns that.
  CUresult wait_for(CUresult begun) const;
  /// Takes a zeroed piece of the heap; a null address if there is none.
  DeviceAddress allocate_zeroed(uint64_t size);
  /// The memory at the address is freed: it is not read back any more.
  void forget(DeviceAddress address);
  /// Forgets a program's state and clears the heap, without waiting.
  CUresult clear();

private:
  // The caller holds the mutex:
  /// Waits for work in the stream that has not been waited for.
  llvm::Error settle();
  void begin_read_back();
  struct Awaited;
  std::byte *place_of(const Awaited &each);
  // The caller does not hold the mutex:
  bool has_marks() const;
  void begin_marks();
  bool mark(uint32_t count);
  uint32_t marks_seen() const;
  CUresult put_into_stream(llvm::ArrayRef<KernelLaunch> kernels,
                           llvm::ArrayRef<ReadyKernel> ready);
  void note_end(CUresult result);

  CudaDevice &device;
  CUstream stream = nullptr;
  std::mutex setting_up;  // guards what follows; not held while a kernel runs
  bool in_stream = false; // the stream has work that was not waited for
  uint64_t staged = 0;    // bytes of the small buffer that this work uses
  struct Awaited {
    DeviceAddress address;
    uint64_t size;
  };
  std::vector<Awaited> awaited;  // of will_read()
  bool awaited_are_read = false; // since the last kernel
  // For ended(), from any thread:
  std::atomic<uint32_t> mark_before = 0; // of the last launch
  std::atomic<uint32_t> kernels_ended = 0;
};

class CudaDevice final : public Device, public Leasable {
public:
  CudaDevice(const Api &api, DeviceInfo info,
             std::unique_ptr<FaultReport> faults, SharedContext *shared)
      : api(api), facts(std::move(info)), faults(std::move(faults)),
        threads_of_gpu(std::max<uint64_t>(facts.resident_waves() * 32, 1)),
        shared(shared), kernels(*this) {
    facts.is_shared = shared;
    // The part of a program that divides its work by itself: its threads wait
    // for each other, so those of all programs must have room at once.
    if (shared)
      facts.units = std::max<uint32_t>(facts.units / shared->most, 1);
  }
  ~CudaDevice() override;
  llvm::Error initialise();

  const DeviceInfo &info() const override { return facts; }
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) override;
  Queue &queue() override { return kernels; }
  llvm::Expected<HostBuffer> allocate_host(uint64_t size) override;
  void free_host(const HostBuffer &buffer) override;
  llvm::Expected<DeviceAddress> allocate_device(uint64_t size) override;
  void free_device(DeviceAddress address) override;
  std::optional<MemoryRange> range_of(DeviceAddress address) override {
    return device_heap->range_of(address);
  }
  rpc::DeviceMemory &heap() override { return *device_heap; }
  HostFiles host_files() const override;

  Leasable *leasable() override { return this; }
  llvm::Error keep_open() override;
  void enter_thread() override { api.cuCtxSetCurrent(context); }
  llvm::Expected<DeviceAddress>
  register_host(llvm::MutableArrayRef<std::byte> memory) override;
  llvm::Error clear() override;

private:
  friend class CudaModule;
  friend class CudaQueue;
  uint64_t default_stack(const Image &image);
  llvm::Error set_limits(const Image &image, const LaunchSettings &settings);
  llvm::Error set_stack_limit(const Image &image,
                              const LaunchSettings &settings, uint64_t wanted);
  llvm::Error map_heap(const LaunchSettings &settings);
  /// The Reason of an error about an image, before any kernel of it runs:
  /// not_runnable, or group_ended when another process's kernel has faulted.
  Reason reason_of_image(CUresult result) const {
    return shared && is_fault(result) ? Reason::group_ended
                                      : Reason::not_runnable;
  }
  /// As Api::check(), but an error of the program is a DeviceFault.
  llvm::Error finish(CUresult result, const Kernel &kernel);
  llvm::Error launch_probe();

  const Api api;
  DeviceInfo facts;
  CUdevice device = 0;
  CUcontext context = nullptr;
  const std::unique_ptr<FaultReport> faults; // null: not requested
  const uint64_t threads_of_gpu;             // at once, those of all programs
  SharedContext *const shared;               // null: no other processes' use
  CudaQueue kernels;
  std::unique_ptr<Heap> device_heap;
  uint64_t stack = 0;       // bytes that each thread has been given
  uint64_t stack_share = 0; // of free memory, for unknown depths; 0: not known
  bool stack_was_chosen = false; // by a user
  bool broken = false; // a fault poisons the context: nothing can be freed
  bool kept_open = false;
  CUmodule probe = nullptr; // of launch_probe()
  std::vector<std::byte *> registered;
};

} // namespace gpuexec::cuda

#endif
