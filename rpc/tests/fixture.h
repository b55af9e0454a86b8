//===-- rpc/tests/fixture.h - A server with a device to talk to -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_TESTS_FIXTURE_H
#define GPUEXEC_RPC_TESTS_FIXTURE_H

#include "rpc/server.h"
#include "rpc/tests/host_client.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace gpuexec::rpc::test {

/// Device memory that is host memory, with bounds.
class FakeMemory : public DeviceMemory {
public:
  ~FakeMemory() override {
    EXPECT_TRUE(blocks.empty()) << "device memory leaked";
  }
  DeviceAddress allocate(uint64_t size, uint64_t alignment) override {
    std::lock_guard lock(mutex);
    if (size > limit - used)
      return {};
    alignment = std::max<uint64_t>(alignment, 16);
    void *memory =
        aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    if (!memory)
      return {};
    used += size;
    ++allocations;
    blocks[DeviceAddress::of(memory)] = size;
    return DeviceAddress::of(memory);
  }
  void free(DeviceAddress address) override {
    std::lock_guard lock(mutex);
    auto found = blocks.find(address);
    ASSERT_NE(found, blocks.end());
    used -= found->second;
    blocks.erase(found);
    ::free(address.shared());
  }
  bool contains(DeviceAddress address, uint64_t size) {
    std::lock_guard lock(mutex);
    auto found = blocks.upper_bound(address);
    if (found == blocks.begin())
      return false;
    --found;
    return lies_in(address, size, found->first, found->second);
  }
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override {
    if (!contains(from, size))
      return llvm::createStringError("address 0x%lx is not mapped", from.value);
    memcpy(to, from.shared(), size);
    return llvm::Error::success();
  }
  llvm::Error write(DeviceAddress to, const void *from,
                    uint64_t size) override {
    if (!contains(to, size))
      return llvm::createStringError("address 0x%lx is not mapped", to.value);
    memcpy(to.shared(), from, size);
    return llvm::Error::success();
  }
  bool holds(DeviceAddress address, uint64_t size, bool writable) override {
    if (writable && address == read_only)
      return false;
    return contains(address, size);
  }
  void *host_view(DeviceAddress address, uint64_t size,
                  bool writable) override {
    return views && holds(address, size, writable) ? address.shared() : nullptr;
  }
  /// Copies when it is waited for, not before: who does not wait sees it.
  class Copies : public CopyBuffer {
  public:
    explicit Copies(FakeMemory &memory) : memory(memory) {}
    ~Copies() override { memory.copies_taken = false; }
    size_t size() const override { return HALF; }
    char *data(unsigned half) override { return bytes[half]; }
    llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                           uint64_t size) override {
      EXPECT_LE(offset + size, HALF);
      if (!memory.contains(from, size))
        return llvm::createStringError("address 0x%lx is not mapped",
                                       from.value);
      begun[half].push_back({bytes[half] + offset, from.shared<char>(), size});
      return llvm::Error::success();
    }
    llvm::Error start_write(unsigned half, DeviceAddress to,
                            uint64_t size) override {
      EXPECT_LE(size, HALF);
      if (!memory.contains(to, size))
        return llvm::createStringError("address 0x%lx is not mapped", to.value);
      begun[half].push_back({to.shared<char>(), bytes[half], size});
      return llvm::Error::success();
    }
    llvm::Error finish(unsigned half) override {
      for (auto &[to, from, size] : begun[half])
        memcpy(to, from, size);
      begun[half].clear();
      return llvm::Error::success();
    }

  private:
    static constexpr size_t HALF = 64 << 10;
    FakeMemory &memory;
    std::vector<std::tuple<char *, char *, size_t>> begun[2];
    char bytes[2][HALF];
  };
  std::unique_ptr<CopyBuffer> copy_buffer() override {
    if (!copies || copies_taken.exchange(true))
      return nullptr;
    ++copies_given;
    return std::make_unique<Copies>(*this);
  }
  bool copies = false;
  std::atomic<bool> copies_taken = false;
  std::atomic<unsigned> copies_given = 0;

  std::mutex mutex;
  std::map<DeviceAddress, uint64_t> blocks;
  uint64_t used = 0, limit = uint64_t(8) << 30, allocations = 0;
  DeviceAddress read_only; // what begins there is not written to
  bool views = true;
};

/// A directory that goes away.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    // Not TMPDIR: a test here is somebody else than its user, who may not go
    // where that often is.
    const char *base = getenv("RPC_TESTS_FOLDER");
    path = std::string(base ? base : "/tmp") + "/gpuexec-rpc-XXXXXX";
    mkdtemp(path.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  std::string path;
};

inline std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
inline void write_file(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// What a test owns, for options that take a shared_ptr.
template <typename T> std::shared_ptr<T> borrowed(T &owned) {
  return std::shared_ptr<T>(std::shared_ptr<void>(), &owned);
}

/// One server whose output goes to files.
struct Session {
  struct Setup {
    uint32_t ports = 64, lanes = 32;
    uint64_t client_size = 552;
    bool version_19 = false;
    std::string input = {};
    int stdin_fd = -1, stdout_fd = -1, stderr_fd = -1;
    ServerOptions options = {};
  };
  explicit Session(Setup setup) {
    auto found = setup.version_19
                     ? Layout::for_version_19(setup.ports, setup.lanes)
                     : Layout::from_client_size(setup.client_size, setup.ports,
                                                setup.lanes);
    EXPECT_TRUE(bool(found));
    layout = *found;
    size_t size = (layout.buffer_size() + 4095) & ~size_t(4095);
    buffer.reset(aligned_alloc(4096, size));
    memset(buffer.get(), 0, size);
    write_file(directory / "in", setup.input);
    auto open_file = [&](int given, const char *name, int flags) {
      if (given >= 0)
        return given;
      int fd = ::open((directory / name).c_str(), flags | O_CLOEXEC, 0600);
      own.push_back(fd);
      return fd;
    };
    ServerOptions options = std::move(setup.options);
    options.stdin_fd = open_file(setup.stdin_fd, "in", O_RDONLY);
    options.stdout_fd =
        open_file(setup.stdout_fd, "out", O_WRONLY | O_CREAT | O_APPEND);
    options.stderr_fd =
        open_file(setup.stderr_fd, "err", O_WRONLY | O_CREAT | O_APPEND);
    if (options.program_name.empty())
      options.program_name = "test";
    auto created = Server::create(
        layout, buffer.get(), DeviceAddress::of(buffer.get()), memory, options);
    if (!created) {
      create_error = llvm::toString(created.takeError());
      return;
    }
    server = std::move(*created);
    device = std::make_unique<Device>(server->client_object(), setup.lanes);
    all_lanes =
        setup.lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << setup.lanes) - 1;
    server->start();
  }
  ~Session() {
    if (device)
      device->dead = true;
    for (std::thread &wave : waves)
      wave.join();
    server.reset();
    for (int fd : own)
      ::close(fd);
  }
  WavePort open(uint32_t opcode) {
    return WavePort(*device, opcode, all_lanes);
  }
  WavePort open(uint32_t opcode, uint64_t mask) {
    return WavePort(*device, opcode, mask);
  }
  std::string output() { return read_file(directory / "out"); }
  std::string errors() { return read_file(directory / "err"); }
  /// Waits for the server to say how the program ends.
  std::optional<Outcome> wait_outcome(int seconds = 20) {
    for (int i = 0; i < seconds * 1000; ++i) {
      if (auto outcome = server->outcome())
        return outcome;
      usleep(1000);
    }
    return std::nullopt;
  }
  /// A wave in a thread of its own, joined at the end.
  void wave(std::function<void()> body) { waves.emplace_back(std::move(body)); }

  FakeMemory memory;
  TemporaryDirectory directory;
  Layout layout;
  std::unique_ptr<void, decltype(&::free)> buffer{nullptr, &::free};
  std::unique_ptr<Server> server;
  std::unique_ptr<Device> device;
  std::string create_error;
  uint64_t all_lanes = 0;
  std::vector<int> own;
  std::vector<std::thread> waves;
};

} // namespace gpuexec::rpc::test

#endif // GPUEXEC_RPC_TESTS_FIXTURE_H
