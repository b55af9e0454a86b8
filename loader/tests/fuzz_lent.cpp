//===-- loader/tests/fuzz_lent.cpp - Messages about a lent device ---------===//
// The first byte says whose side is played: a client that sends any requests to
// a worker, or a server that replies anything to a client.
//===----------------------------------------------------------------------===//
#include "loader/device/lent/protocol.h"
#include "loader/device/remote/device.h"
#include "loader/serve/lent_peer.h"
#include <map>
#include <set>

using namespace gpuexec;

namespace {

/// A device whose memory is a map: nothing that is not in it may be touched.
class FakeDevice final : public Device, public rpc::DeviceMemory {
public:
  class FakeModule final : public Module {
  public:
    llvm::Expected<std::optional<DeviceAddress>>
    find_global(llvm::StringRef name) override {
      return std::optional<DeviceAddress>(DeviceAddress(name.size()));
    }
    llvm::Error launch(const Kernel &, const Grid &,
                       llvm::ArrayRef<std::byte>) override {
      return llvm::Error::success();
    }
  };
  const DeviceInfo &info() const override { return facts; }
  llvm::Expected<std::unique_ptr<Module>>
  load(const Image &, const LaunchSettings &) override {
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
  DeviceInfo facts;
  DeviceAddress next{1 << 20};
  std::map<DeviceAddress, std::vector<std::byte>> pieces;
  std::set<DeviceAddress> programs; ///< pieces that free() may take
};

/// Takes messages from the input: kind, size, bytes.
bool take_message(llvm::StringRef &input, remote::Message &message) {
  if (input.size() < 3)
    return false;
  message.kind = uint8_t(input[0]);
  size_t size = uint8_t(input[1]) | uint8_t(input[2]) << 8;
  input = input.drop_front(3);
  message.body = input.take_front(size).str();
  input = input.drop_front(message.body.size());
  return true;
}

void play_client(llvm::StringRef input) {
  FakeDevice device;
  serve::LentPeer peer(device, nullptr, UINT64_MAX);
  for (remote::Message message; take_message(input, message);) {
    remote::Response reply;
    llvm::consumeError(peer.carry_out(message, reply));
  }
  peer.clean_up();
}

/// Replies with what the input has next.
class FakeLink final : public remote::Link {
public:
  explicit FakeLink(llvm::StringRef input) : input(input) {}
  llvm::Expected<remote::Answer>
  ask(remote::Request, llvm::StringRef,
      std::optional<std::chrono::milliseconds>) override {
    remote::Message message;
    if (!take_message(input, message))
      return failure(Reason::failed, "it has gone");
    return remote::answer_of(std::move(message), name());
  }
  llvm::Expected<remote::Answer> ask_launch(llvm::StringRef body) override {
    return ask(remote::Request::launch, body, std::nullopt);
  }
  void kill() override {}
  const char *name() const override { return "the fuzzer"; }

private:
  llvm::StringRef input;
};

void play_server(llvm::StringRef input, bool all_is_shared) {
  llvm::consumeError(lent::take_greeting(input).takeError());
  llvm::consumeError(lent::take_wish(input).takeError());
  remote::Reader reader(input);
  remote::Facts facts = remote::take_facts(reader);
  facts.all_is_shared = all_is_shared;
  static std::byte bytes[1 << 16];
  remote::SharedMemory memory;
  memory.add(DeviceAddress(0x10000), bytes, sizeof(bytes));
  FakeLink link(input);
  remote::RemoteDevice device(link, memory, facts);
  if (llvm::Expected<HostBuffer> buffer = device.allocate_host(4096))
    std::memset(buffer->host, 1, buffer->size);
  else
    llvm::consumeError(buffer.takeError());
  llvm::consumeError(device.allocate_device(64).takeError());
  char there[64] = {};
  for (uint64_t address : {uint64_t(0x10000), uint64_t(0x1ffc1), UINT64_MAX}) {
    rpc::DeviceMemory &heap = device.heap();
    llvm::consumeError(heap.read(there, DeviceAddress(address), 64));
    llvm::consumeError(heap.write(DeviceAddress(address), there, 64));
    if (void *seen = heap.host_view(DeviceAddress(address), 64, true))
      std::memset(seen, 2, 64);
    if (DeviceAddress piece = heap.allocate(64, 64))
      heap.free(piece);
  }
  device.where();
  device.statistics(true);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  llvm::StringRef input(reinterpret_cast<const char *>(data + 1), size - 1);
  if (data[0] % 2)
    play_client(input);
  else
    play_server(input, data[0] & 2);
  return 0;
}
