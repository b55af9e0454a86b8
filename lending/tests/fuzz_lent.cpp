//===-- lending/tests/fuzz_lent.cpp - Messages about a lent device --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first byte says whose side is played: a client that sends any requests to
// a worker, a server that replies anything to a client, or somebody who writes
// any bytes to the server's socket.
//===----------------------------------------------------------------------===//
#include "lending/client/device.h"
#include "lending/peer/lent_peer.h"
#include "lending/tests/filler.h"
#include "lending/wire/session.h"
#include "loader/tests/fake_device.h"

using namespace gpuexec;

namespace {

/// Takes a message from the input: its kind, and a body in bytes behind their
/// size. With the highest bit of the kind the message is well-formed.
bool take_message(llvm::StringRef &input, wire::Message &message) {
  if (input.size() < 3)
    return false;
  message.kind = uint8_t(input[0]) & 0x7f;
  if (input[0] & 0x80) {
    input = input.drop_front(1);
    message.body = wire::fill(message.kind, input);
    return true;
  }
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
  lending::HostMemory memory(device);
  llvm::cantFail(memory.prepare());
  lending::LentPeer peer(device, is_far ? nullptr : &memory, LIMIT);
  if (is_far)
    peer.serve_far(lending::HostMemory::Part{DeviceAddress(0x10000), 1 << 16});
  for (wire::Message message; take_message(input, message);) {
    lending::Response reply;
    llvm::consumeError(peer.carry_out(message, reply));
    if (allocated(device) > peer.most_of_session(LIMIT) / 3 * 4 + PART)
      __builtin_trap();
  }
  peer.clean_up();
}

/// Replies with what the input has next.
class FakeLink final : public wire::Link {
public:
  explicit FakeLink(llvm::StringRef input) : input(input) {}
  void kill() override {}
  const char *name() const override { return "the fuzzer"; }

private:
  llvm::Expected<wire::Answer> exchange(uint32_t, llvm::StringRef,
                                        Limit) override {
    wire::Message message;
    if (!take_message(input, message))
      return failure(Reason::failed, "it has gone");
    message.kind = wire::Done::KIND + message.kind % 4;
    if (llvm::Error error = wire::error_of(message, name()))
      return std::move(error);
    return wire::Answer{std::move(message.body), std::nullopt};
  }
  llvm::Expected<wire::Answer> exchange_launch(llvm::StringRef body) override {
    return exchange(wire::Launch::KIND, body, std::nullopt);
  }
  llvm::StringRef input;
};

void play_program(lending::RemoteDevice &device) {
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
  llvm::consumeError(wire::take_greeting(input).takeError());
  llvm::consumeError(wire::take_borrow(input).takeError());
  wire::Facts facts;
  wire::Decoder decoder(input);
  walk(decoder, facts);
  facts.all_is_shared = all_is_shared;
  static std::byte bytes[4 << 20]; // large copies need two
  constexpr uint64_t BEGIN = 0x10000, END = BEGIN + sizeof(bytes);
  wire::SharedMemory memory;
  memory.add(DeviceAddress(BEGIN), bytes, sizeof(bytes));
  FakeLink link(input);
  lending::RemoteDevice device(link, memory, facts);
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
  wire::Channel channel(theirs.get());
  channel.limit_messages(wire::LARGEST_OF_STRANGER);
  while (auto message = channel.receive(std::chrono::milliseconds(0))) {
    if (message->body.size() > wire::LARGEST_OF_STRANGER)
      __builtin_trap();
    llvm::consumeError(wire::take_borrow(message->body).takeError());
    llvm::consumeError(wire::take_greeting(message->body).takeError());
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
