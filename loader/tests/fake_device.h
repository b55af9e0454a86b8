//===-- loader/tests/fake_device.h - A device that is a map ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_TESTS_FAKE_DEVICE_H
#define GPUEXEC_LOADER_TESTS_FAKE_DEVICE_H

#include "loader/device/device.h"
#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace gpuexec {

/// A device whose memory is a map: nothing that is not in it may be touched.
class FakeDevice final : public Device,
                         public Queue,
                         public Leasable,
                         public rpc::DeviceMemory {
public:
  class FakeModule final : public Module {
  public:
    llvm::Expected<std::optional<DeviceAddress>>
    find_global(llvm::StringRef name) override {
      return std::optional<DeviceAddress>(DeviceAddress(name.size()));
    }
  };
  /// Leaves the number of kernels where each one's first argument says.
  llvm::Error launch(Module &, llvm::ArrayRef<KernelLaunch> kernels) override {
    for (const KernelLaunch &each : kernels) {
      ++launched;
      DeviceAddress to;
      if (each.arguments.size() < sizeof(to))
        continue;
      std::memcpy(&to, each.arguments.data(), sizeof(to));
      if (llvm::Error error = write(to, &launched, sizeof(launched)))
        return error;
    }
    return llvm::Error::success();
  }
  size_t ended() override { return launched; }
  Queue &queue() override { return *this; }
  Leasable *leasable() override { return this; }
  llvm::Error keep_open() override { return llvm::Error::success(); }
  void enter_thread() override {}
  llvm::Error clear() override { return llvm::Error::success(); }
  DeviceInfo facts;
  const DeviceInfo &info() const override { return facts; }
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &, const LaunchSettings &) override {
    launched = 0;
    return std::make_unique<FakeModule>();
  }
  llvm::Expected<HostBuffer> allocate_host(uint64_t size) override {
    return failure(Reason::failed, "none");
  }
  void free_host(const HostBuffer &) override {}
  llvm::Expected<DeviceAddress> allocate_device(uint64_t size) override {
    if (size > LARGEST)
      return failure(Reason::failed, "none");
    DeviceAddress address = allocate(size, 256);
    if (!address)
      return failure(Reason::failed, "none");
    programs.erase(address);
    return address;
  }
  void free_device(DeviceAddress address) override {
    if (!pieces.erase(address))
      __builtin_trap(); // it was not this client's
  }
  llvm::Error copy_to_device(DeviceAddress to,
                             llvm::ArrayRef<std::byte> from) override {
    return write(to, from.data(), from.size());
  }
  llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                               DeviceAddress from) override {
    return read(to.data(), from, to.size());
  }
  rpc::DeviceMemory &heap() override { return *this; }

  DeviceAddress allocate(uint64_t size, uint64_t alignment) override {
    if (size > LARGEST || pieces.size() > 100)
      return {};
    next = DeviceAddress((next.value + LARGEST + alignment - 1) & -alignment);
    pieces[next].resize(size);
    programs.insert(next);
    return next;
  }
  void free(DeviceAddress address) override {
    if (programs.erase(address))
      pieces.erase(address);
  }
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override {
    std::byte *bytes = find(from, size);
    if (!bytes)
      return failure(Reason::failed, "not the device's");
    std::memcpy(to, bytes, size);
    return llvm::Error::success();
  }
  llvm::Error write(DeviceAddress to, const void *from,
                    uint64_t size) override {
    std::byte *bytes = find(to, size);
    if (!bytes)
      return failure(Reason::failed, "not the device's");
    std::memcpy(bytes, from, size);
    return llvm::Error::success();
  }
  bool holds(DeviceAddress address, uint64_t size, bool) override {
    return find(address, size) != nullptr;
  }
  /// What register_host() was given; each gets an address of its own.
  std::vector<llvm::MutableArrayRef<std::byte>> registered;
  llvm::Expected<DeviceAddress>
  register_host(llvm::MutableArrayRef<std::byte> memory) override {
    registered.push_back(memory);
    return DeviceAddress(uint64_t(registered.size()) << 40);
  }
  /// What the next of copy_buffer_in() is: copies at once.
  bool has_copy_engine = true, has_end_words = true;
  class Copies final : public rpc::CopyBuffer {
  public:
    Copies(FakeDevice &device, char *memory, size_t half_size)
        : device(device), memory(memory), half_size(half_size) {}
    size_t size() const override { return half_size; }
    char *data(unsigned half) override { return memory + half * half_size; }
    llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                           uint64_t size) override {
      return device.read(data(half) + offset, from, size);
    }
    llvm::Error start_write(unsigned half, DeviceAddress to,
                            uint64_t size) override {
      return device.write(to, data(half), size);
    }
    void no_more(unsigned half) override {
      if (!device.has_end_words)
        return;
      uint32_t word;
      char *where = data(2) + half * rpc::COPY_END_WORD;
      std::memcpy(&word, where, sizeof(word));
      ++word;
      std::memcpy(where, &word, sizeof(word));
    }
    bool has_end_words() const override { return device.has_end_words; }
    llvm::Error finish(unsigned half) override {
      return llvm::Error::success();
    }

  private:
    FakeDevice &device;
    char *const memory;
    const size_t half_size;
  };
  std::unique_ptr<rpc::CopyBuffer> copy_buffer_in(char *memory, DeviceAddress,
                                                  size_t half_size) override {
    if (!has_copy_engine)
      return nullptr;
    return std::make_unique<Copies>(*this, memory, half_size);
  }

  /// Bytes that were allocated and not freed.
  uint64_t allocated() const {
    uint64_t sum = 0;
    for (const auto &[address, piece] : pieces)
      sum += piece.size();
    return sum;
  }

private:
  static constexpr uint64_t LARGEST = 1 << 20;
  std::byte *find(DeviceAddress address, uint64_t size) {
    auto after = pieces.upper_bound(address);
    if (after == pieces.begin())
      return nullptr;
    auto &[begin, bytes] = *std::prev(after);
    return lies_in(address, size, begin, bytes.size())
               ? bytes.data() + (address - begin)
               : nullptr;
  }
  uint32_t launched = 0;
  DeviceAddress next{1 << 20};
  std::map<DeviceAddress, std::vector<std::byte>> pieces;
  std::set<DeviceAddress> programs; ///< pieces that free() may take
};

} // namespace gpuexec

#endif
