//===-- lending/tests/fuzz_lent.cpp - Messages about a lent device --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first byte says whose side is played: a client that sends any requests to
// a worker, a server that replies anything to a client, or somebody who writes
// any bytes to the server's socket.
//===----------------------------------------------------------------------===//
#include "lending/client/device.h"
#include "lending/peer/lent_peer.h"
#include "lending/wire/protocol.h"
#include "loader/tests/fake_device.h"

using namespace gpuexec;

namespace {

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

/// What the device and the host have for clients, bytes.
uint64_t allocated(const FakeDevice &device) {
  uint64_t sum = device.allocated();
  for (size_t i = 1; i < device.registered.size(); ++i)
    sum += device.registered[i].size();
  return sum;
}

void play_client(llvm::StringRef input, bool is_far) {
  constexpr uint64_t LIMIT = 1 << 20, PART = 8 << 20; // of HostMemory
  FakeDevice device;
  serve::HostMemory memory(device);
  llvm::cantFail(memory.prepare());
  serve::LentPeer peer(device, is_far ? nullptr : &memory, LIMIT);
  if (is_far)
    peer.serve_far(serve::HostMemory::Part{DeviceAddress(0x10000), 1 << 16});
  for (remote::Message message; take_message(input, message);) {
    remote::Response reply;
    llvm::consumeError(peer.carry_out(message, reply));
    if (allocated(device) > peer.most_of_session(LIMIT) / 3 * 4 + PART)
      __builtin_trap();
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

void play_program(remote::RemoteDevice &device) {
  static const Image image = llvm::cantFail(Image::parse(
      llvm::MemoryBufferRef(".version 7.8\n.target sm_70\n.address_size 64\n"
                            ".visible .entry one(.param .u64 a) { ret; }\n",
                            "fuzz.ptx")));
  llvm::Expected<std::unique_ptr<Module>> module = device.load(image, {});
  if (!module)
    return llvm::consumeError(module.takeError());
  device.will_read(DeviceAddress(64), 8);
  llvm::consumeError(device.launch(
      **module, {KernelLaunch{&image.kernels().front(), Grid(), {}}}));
  device.ended();
  std::byte word[8];
  llvm::consumeError(device.copy_from_device(word, DeviceAddress(64)));
}

void play_server(llvm::StringRef input, bool all_is_shared) {
  llvm::consumeError(lent::take_greeting(input).takeError());
  llvm::consumeError(lent::take_wish(input).takeError());
  remote::Reader reader(input);
  remote::Facts facts = remote::take_facts(reader);
  facts.all_is_shared = all_is_shared;
  static std::byte bytes[4 << 20]; // large copies need two
  constexpr uint64_t BEGIN = 0x10000, END = BEGIN + sizeof(bytes);
  remote::SharedMemory memory;
  memory.add(DeviceAddress(BEGIN), bytes, sizeof(bytes));
  FakeLink link(input);
  remote::RemoteDevice device(link, memory, facts);
  if (llvm::Expected<HostBuffer> buffer = device.allocate_host(4096))
    std::memset(buffer->host, 1, buffer->size);
  else
    llvm::consumeError(buffer.takeError());
  llvm::consumeError(device.allocate_device(64).takeError());
  play_program(device);
  char there[64] = {};
  for (uint64_t address : {BEGIN, END - 63, UINT64_MAX}) {
    rpc::DeviceMemory &heap = device.heap();
    llvm::consumeError(heap.read(there, DeviceAddress(address), 64));
    llvm::consumeError(heap.write(DeviceAddress(address), there, 64));
    if (void *seen = heap.host_view(DeviceAddress(address), 64, true))
      std::memset(seen, 2, 64);
    if (DeviceAddress piece = heap.allocate(64, 64))
      heap.free(piece);
    if (auto copies = heap.copy_buffer()) {
      llvm::consumeError(copies->start_read(0, 64, DeviceAddress(address), 64));
      llvm::consumeError(copies->start_write(1, DeviceAddress(address), 64));
      copies->data(1)[copies->size() - 1] = 3;
    }
  }
  device.where();
  device.statistics(true);
}

/// The first words of somebody who has connected.
void play_stranger(llvm::StringRef input) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  UniqueFd ours(ends[0]), theirs(ends[1]);
  if (write_all(ours.get(), input) != 0)
    return;
  ours.close();
  remote::Channel channel(theirs.get());
  channel.limit_messages(lent::LARGEST_WISH);
  while (auto message = channel.receive(std::chrono::milliseconds(0))) {
    if (message->body.size() > lent::LARGEST_WISH)
      __builtin_trap();
    llvm::consumeError(lent::take_wish(message->body).takeError());
    llvm::consumeError(lent::take_greeting(message->body).takeError());
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  llvm::StringRef input(reinterpret_cast<const char *>(data + 1), size - 1);
  if (data[0] == 0xff)
    play_stranger(input);
  else if (data[0] % 2)
    play_client(input, data[0] & 2);
  else
    play_server(input, data[0] & 2);
  return 0;
}
