//===-- loader/device/isolated/device.h - A device in a process apart -----===//
// The emulated device in a process of its own, which has no files, no network
// and no right to start anything: its machine code is assumed to break into it
// one day. The two processes share the device's memory only. A call of the
// program goes through the mailbox there, at the same cost as in one process.
// All other requests go over a channel, and each reply is checked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_ISOLATED_DEVICE_H
#define GPUEXEC_LOADER_DEVICE_ISOLATED_DEVICE_H

#include "loader/device/isolated/arena.h"
#include "loader/device/isolated/peer.h"
#include "loader/device/isolated/process.h"
#include <map>
#include <mutex>

namespace gpuexec::isolated {

/// Starts the process and has it open its device with `open`. Errors: as
/// gpuexec::open_device(), and Failure when there is no process to be had.
llvm::Expected<OpenedDevice> open_device(llvm::ArrayRef<Image> images,
                                         const Opener &open);

/// The program's heap. This process copies in the shared memory by itself. It
/// asks the other one for new memory, and once for each range that the program
/// names.
class Heap final : public rpc::DeviceMemory {
public:
  Heap(Process &process, const Arena &arena) : process(process), arena(arena) {}
  DeviceAddress allocate(uint64_t size, uint64_t alignment) override;
  void free(DeviceAddress address) override;
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override;
  llvm::Error write(DeviceAddress to, const void *from, uint64_t size) override;
  bool holds(DeviceAddress address, uint64_t size, bool writable) override {
    return known(address, size, writable);
  }
  void *host_view(DeviceAddress address, uint64_t size, bool writable) override;
  /// The process must be told of each write (--check=uninit).
  void tell_of_writes() { telling = true; }

private:
  /// True when the device has an allocation that holds all of the range.
  bool known(DeviceAddress address, uint64_t size, bool writable);
  bool asked(DeviceAddress address, uint64_t size, bool writable);

  Process &process;
  const Arena &arena;
  bool telling = false;
  std::mutex mutex;                       // guards what follows
  std::map<DeviceAddress, MemoryRange> ranges; ///< that the process has told of
};

class IsolatedDevice final : public Device {
public:
  IsolatedDevice(std::unique_ptr<Arena> arena, std::unique_ptr<Process> process,
                 DeviceInfo facts, uint64_t hertz)
      : arena(std::move(arena)), process(std::move(process)),
        facts(std::move(facts)), hertz(hertz),
        device_heap(*this->process, *this->arena) {}

  const DeviceInfo &info() const override { return facts; }
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) override;
  llvm::Expected<HostBuffer> allocate_host(uint64_t size) override;
  void free_host(const HostBuffer &buffer) override;
  llvm::Expected<DeviceAddress> allocate_device(uint64_t size) override;
  void free_device(DeviceAddress address) override;
  llvm::Error copy_to_device(DeviceAddress to,
                             llvm::ArrayRef<std::byte> from) override;
  llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                               DeviceAddress from) override;
  rpc::DeviceMemory &heap() override { return device_heap; }
  llvm::Error
  confine(llvm::function_ref<llvm::Error()> confine_thread) override;
  uint64_t clock_frequency() const override { return hertz; }
  bool stop() override {
    process->kill();
    return true;
  }
  std::string where() override;
  llvm::Error set_option(llvm::StringRef name, llvm::StringRef value) override;
  std::string statistics(bool json) override;

private:
  friend class IsolatedModule;
  llvm::Expected<DeviceAddress> ask_for_memory(Request request, uint64_t size);

  const std::unique_ptr<Arena> arena; // the process is gone before it
  const std::unique_ptr<Process> process;
  const DeviceInfo facts;
  const uint64_t hertz;
  Heap device_heap;
  bool must_tell_of_writes = false; // the device follows what is defined
};

} // namespace gpuexec::isolated

#endif
