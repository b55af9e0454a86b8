//===-- lending/client/device.h - A device of another process ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device that another process has open, through a Link. A call of the program
// goes through the mailbox, in memory that both processes have mapped, at the
// same cost as in one process. All other requests go over the link, and each
// reply is checked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CLIENT_DEVICE_H
#define GPUEXEC_LENDING_CLIENT_DEVICE_H

#include "lending/wire/link.h"
#include "lending/wire/shared_memory.h"
#include "loader/device/device.h"
#include <atomic>
#include <map>
#include <mutex>

namespace gpuexec::lending {

/// Reads device memory that is not shared, in parts, with one request each. R:
/// wire::Read or HeapRead.
template <typename R>
llvm::Error read_by_asking(wire::Link &link,
                           llvm::MutableArrayRef<std::byte> to,
                           DeviceAddress from) {
  while (!to.empty()) {
    const uint64_t size = std::min<uint64_t>(to.size(), link.largest_copy());
    llvm::Expected<wire::Replied<R>> reply = link.ask(R{from, size});
    if (!reply)
      return reply.takeError();
    if (reply->bytes.size() != size)
      return link.nonsense();
    std::memcpy(to.data(), reply->bytes.data(), size);
    to = to.drop_front(size);
    from = from + size;
  }
  return llvm::Error::success();
}

/// The program's heap. Where memory is shared, this process copies by itself.
/// It asks the other process for new memory, and once about each range that the
/// program names.
class Heap final : public rpc::DeviceMemory {
public:
  /// `device` outlives the heap, and lends it host memory for copies.
  Heap(wire::Link &link, const wire::SharedMemory &memory, bool all_is_shared,
       Device &device)
      : link(link), memory(memory), all_is_shared(all_is_shared),
        device(device) {}
  DeviceAddress allocate(uint64_t size, uint64_t alignment) override;
  void free(DeviceAddress address) override;
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override;
  llvm::Error write(DeviceAddress to, const void *from, uint64_t size) override;
  bool holds(DeviceAddress address, uint64_t size, bool writable) override {
    return known(address, size, writable);
  }
  void *host_view(DeviceAddress address, uint64_t size, bool writable) override;
  std::unique_ptr<rpc::CopyBuffer> copy_buffer() override;
  /// From now on each write goes through the other process, which tracks what
  /// is initialized (--check=uninit).
  void tell_of_writes() { telling = true; }

private:
  class Copies;
  llvm::Error prepare_copies();
  /// True when the device has an allocation that holds all of the range.
  bool known(DeviceAddress address, uint64_t size, bool writable);
  bool asked(DeviceAddress address, uint64_t size, bool writable);
  /// False when the range can be no part of an allocation.
  bool plausible(DeviceAddress address, uint64_t size) const;

  wire::Link &link;
  const wire::SharedMemory &memory;
  const bool all_is_shared; ///< this process has mapped all device memory
  Device &device;
  bool telling = false;
  std::atomic<bool> copies_taken = false;
  /// The memory of copy_buffer(), which its first call allocates; nothing
  /// before, or when that failed. Only a thread that has set `copies_taken`
  /// uses this.
  struct CopyMemory {
    HostBuffer memory;
    bool has_end_words;
  };
  std::optional<CopyMemory> copies;
  bool copies_tried = false;
  std::mutex mutex;                            // guards what follows
  std::map<DeviceAddress, MemoryRange> ranges; ///< known to be the device's
};

class RemoteModule;

/// A derived class provides the link and the memory, which both outlive the
/// device.
class RemoteDevice : public Device, public Queue, public Observable {
public:
  /// `heap_memory`: the memory in which the heap looks up addresses that the
  /// program gives; it outlives the device, too.
  RemoteDevice(wire::Link &link, wire::SharedMemory &memory,
               const wire::SharedMemory &heap_memory, wire::Facts facts)
      : link(link), memory(memory), facts(std::move(facts)),
        device_heap(link, heap_memory, this->facts.all_is_shared, *this) {}
  RemoteDevice(wire::Link &link, wire::SharedMemory &memory, wire::Facts facts)
      : RemoteDevice(link, memory, memory, std::move(facts)) {}

  const DeviceInfo &info() const override { return facts.info; }
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
  void will_read(DeviceAddress address, uint64_t size) override;
  llvm::Error launch(Module &module,
                     llvm::ArrayRef<KernelLaunch> kernels) override;
  size_t ended() override;
  Queue &queue() override { return *this; }
  /// Only an emulated device tells what its waves do.
  Observable *observable() override {
    return facts.info.emulated ? this : nullptr;
  }
  rpc::DeviceMemory &heap() override { return device_heap; }
  uint64_t clock_frequency() const override { return facts.hertz; }
  bool stop() override {
    link.kill();
    return true;
  }
  std::string where() override;
  llvm::Error set_option(llvm::StringRef name, llvm::StringRef value) override;
  std::string statistics(bool json) override;

protected:
  /// The request that load() sends; its names belong to the image.
  static wire::Load load_request(const Image &image,
                                 const LaunchSettings &settings);
  /// Makes the module from the reply to that request.
  llvm::Expected<std::unique_ptr<Module>>
  take_loaded(const Image &image, const wire::Load &request,
              llvm::Expected<wire::Replied<wire::Load>> reply);
  wire::Link &link;

private:
  friend class RemoteModule;
  bool is_memory(DeviceAddress address, uint64_t size) const;
  llvm::Error launch_together(const RemoteModule &module,
                              llvm::ArrayRef<KernelLaunch> kernels);
  bool take_awaited(llvm::StringRef bytes);

  wire::SharedMemory &memory;
  const wire::Facts facts;
  Heap device_heap;
  bool must_tell_of_writes = false; // the device tracks initialized memory
  DeviceAddress small_ahead;        // memory from the reply to Load; 0: none
  /// A range of will_read() whose memory is not shared.
  struct Awaited {
    DeviceAddress address;
    uint64_t size;
    std::string bytes; ///< after the last launch; empty: not known
  };
  std::vector<Awaited> awaited;
  /// Kernels that earlier requests of the same launch() have run.
  std::atomic<size_t> ended_before = 0;
};

} // namespace gpuexec::lending

#endif
