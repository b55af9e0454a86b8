//===-- loader/device/hsa/device.h - An AMD GPU, real or emulated -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One agent, one queue, one kernel at a time. Follows the HSA runtime
// specification 1.2. Only for the files of this folder.
//
// Destroying a queue ends its kernel on the emulator. On a GPU it could wait
// for the kernel; therefore the queue of a kernel that does not end is not
// destroyed there, and the kernel ends with the process.
//
// A real GPU can write to the queue's structure, its packets and its signals.
// After the queue was made the host reads nothing of them but the value of the
// completion signal. A kernel that forges that value is taken for ended; the
// next packet has the barrier bit, so that it still waits for the real end. On
// the emulator only the host can write to signals and queues.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_HSA_DEVICE_H
#define GPUEXEC_LOADER_DEVICE_HSA_DEVICE_H

#include "loader/device/hsa/heap.h"
#include "loader/device/hsa/kernarg.h"
#include "loader/device/hsa/runtime.h"
#include <atomic>
#include <map>
#include <mutex>

namespace gpuexec::hsa {

/// A fault of the device. Threads of the runtime write it, which may outlive
/// the device.
struct FaultRecord {
  std::atomic<bool> happened{false};
  std::atomic<bool> stopped{false}; ///< by HsaDevice::stop()
  std::mutex mutex;                 // guards the next four members
  hsa_status_t queue_status = HSA_STATUS_SUCCESS;
  bool memory = false;
  uint64_t address = 0;
  uint32_t reason = 0; ///< HSA_AMD_MEMORY_FAULT_*

  /// The signal that the launching thread waits for, or 0. wake() stores -1 in
  /// it, so that this thread looks at the record.
  std::atomic<uint64_t> waiting_signal{0};
  decltype(Api::hsa_signal_store_screlease) store_signal = nullptr;
  void wake() {
    happened.store(true);
    if (uint64_t signal = waiting_signal.load())
      store_signal(hsa_signal_t{signal}, -1);
  }
};

class HsaDevice final : public Device,
                        public Queue,
                        public Observable,
                        public Lockstep,
                        public SelfServing {
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
  llvm::Expected<DeviceAddress> allocate_device(uint64_t size) override;
  void free_device(DeviceAddress address) override;
  Queue &queue() override { return *this; }
  llvm::Error launch(Module &module,
                     llvm::ArrayRef<KernelLaunch> kernels) override;
  size_t ended() override { return kernels_ended; }
  bool stop() override;
  llvm::Error copy_to_device(DeviceAddress to,
                             llvm::ArrayRef<std::byte> from) override;
  llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                               DeviceAddress from) override;
  rpc::DeviceMemory &heap() override { return *device_heap; }
  std::optional<MemoryRange> range_of(DeviceAddress address) override {
    return device_heap->range_of(address);
  }
  uint64_t clock_frequency() const override;
  HostFiles host_files() const override;
  // Only the emulator's library has the functions for these.
  Observable *observable() override { return api.set_option ? this : nullptr; }
  std::string where() override;
  llvm::Error set_option(llvm::StringRef name, llvm::StringRef value) override;
  std::string statistics(bool json) override;
  Lockstep *lockstep() override { return api.run_in_lockstep ? this : nullptr; }
  llvm::Error run_in_lockstep(uint64_t seed, Turn turn) override;
  SelfServing *self_serving() override {
    return api.serve_calls ? this : nullptr;
  }
  void serve_calls(std::function<bool()> wanted) override;

  llvm::Error dispatch(const Kernel &kernel, const Grid &grid,
                       uint64_t kernel_object, uint32_t private_size,
                       llvm::ArrayRef<std::byte> arguments);

private:
  friend class HsaModule;
  llvm::Expected<void *> kernarg_block(llvm::ArrayRef<std::byte> contents);
  void enqueue(const hsa_kernel_dispatch_packet_t &packet, uint16_t header);
  llvm::Error find_pools();
  llvm::Error create_queue();
  void protect_queue();
  /// For a kernel that will not end by itself: ends it on the emulator, else
  /// sets `hung`.
  void give_up();
  llvm::Error fault_error(const Kernel &kernel);

  std::shared_ptr<Runtime> runtime;
  const Api &api;
  hsa_agent_t agent;
  DeviceInfo facts;
  std::optional<hsa_amd_memory_pool_t> kernarg_pool, host_pool, device_pool;
  /// The host's copy of the queue's facts; the queue's structure is not read
  /// again.
  struct PacketQueue {
    hsa_queue_t *handle = nullptr;
    hsa_kernel_dispatch_packet_t *ring = nullptr;
    uint64_t mask = 0; ///< packets - 1
    uint64_t next = 0; ///< index of the next packet
    hsa_signal_t doorbell{};
  } packets;
  /// Taken in turn: the late end of a kernel that forged its completion counts
  /// down the signal of its own launch, not of the next one.
  hsa_signal_t completions[2] = {};
  /// By size; freed with the queue, because a kernel may still read them.
  std::map<size_t, void *> kernargs;
  std::unique_ptr<Heap> device_heap;
  const std::shared_ptr<FaultRecord> fault = std::make_shared<FaultRecord>();
  std::atomic<size_t> kernels_ended = 0;
  std::function<bool()> serve; ///< what threads of the emulator call
  bool hung = false; // a kernel may still run: its memory is left alone
};

class HsaModule final : public Module {
public:
  HsaModule(HsaDevice &device, const Image &image,
            const LaunchSettings &settings)
      : device(device), image(image), settings(settings) {}
  ~HsaModule() override;
  llvm::Error load();
  llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) override;
  llvm::Error launch(const KernelLaunch &launch);

private:
  void protect_read_only_parts();
  llvm::Expected<hsa_executable_symbol_t> symbol(const std::string &name);
  template <typename T>
  llvm::Expected<T> symbol_info(hsa_executable_symbol_t symbol,
                                hsa_executable_symbol_info_t attribute,
                                const char *what);
  llvm::Expected<uint32_t> private_size(const Kernel &kernel, const Grid &grid,
                                        hsa_executable_symbol_t symbol);
  HsaDevice &device;
  const Image &image;
  const LaunchSettings settings;
  hsa_code_object_reader_t reader{};
  hsa_executable_t executable{};
  std::vector<DeviceAddress> read_only; // parts that the heap protects
};

} // namespace gpuexec::hsa

#endif
