//===-- rpc/fuzz/server_fuzzer.cpp - A hostile device against the server --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The input is a program for a device. The server has no threads here: it takes
// its turn where the input says. An input is a list of actions, each a byte and
// its operands:
//
//   0 port opcode mask      a header: index into OPCODES, selector of a mask
//   1 port lane word value  one word of a packet: selector of a value, or 8
//                           bytes
//   2 port lane at n bytes  bytes into a packet
//   3 port                  invert the port's outbox, then the server's turn
//   4 n                     n + 1 turns of the server
//   5 port value            any word in the outbox
//   6 port lane n bytes     the first packet of a stream of n bytes
//   7                       the kernel is over; another one starts
//   8 slot n opcode values  a request of n words by the fast path
//   9 port opcode mask ...  a whole call: the steps of its sequence
//   (opcodes.def)
//                           in order, with values and strings of the input's
//
// With "--write-corpus DIR" the program writes calls of every opcode.
//===----------------------------------------------------------------------===//
#include "rpc/server/sequence.h"
#include "rpc/server/worker_pool.h"
#include "rpc/services/services.h"
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

namespace {

/// A number of the table, or one that no server knows.
uint32_t opcode_of(uint8_t number) {
  const size_t index = number % (std::size(OPCODES) + 2);
  return index < std::size(OPCODES)    ? OPCODES[index].opcode
         : index == std::size(OPCODES) ? 0x63000063
                                       : 0xFFFFFFFF;
}

// The last name is that of no file.
constexpr const char *TEXTS[] = {
    "file", "new", ".", "r+", "w", "%d %s %*.3f %ls\n", "name-XXXXXX", ""};

constexpr uint64_t VALUES[] = {0,
                               1,
                               2,
                               3,
                               4,
                               7,
                               8,
                               16,
                               55,
                               56,
                               57,
                               64,
                               120,
                               121,
                               1000,
                               4096,
                               1u << 20,
                               1ull << 31,
                               1ull << 32,
                               1ull << 46,
                               1ull << 63,
                               ~0ull,
                               ~0ull - 1,
                               0x6770ull << 48,
                               0x6764ull << 48,
                               0x676f00000001ull};
constexpr uint64_t MASKS[] = {1, 3, 5, 0xFF, 0xFFFFFFFF, ~0ull, 0, 0x80000000};

class BoundedMemory : public DeviceMemory {
public:
  ~BoundedMemory() override {
    if (!blocks.empty())
      abort(); // leaked
  }
  DeviceAddress allocate(uint64_t size, uint64_t alignment) override {
    if (size > (8 << 20) - used || alignment > (2 << 20))
      return {};
    alignment = std::max<uint64_t>(alignment, 16);
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment *
                                                alignment);
    if (!memory)
      return {};
    used += size;
    blocks[DeviceAddress::of(memory)] = size;
    last = uint64_t(memory);
    return DeviceAddress(last);
  }
  void free(DeviceAddress address) override {
    auto found = blocks.find(address);
    if (found == blocks.end())
      abort();
    used -= found->second;
    blocks.erase(found);
    ::free(address.shared());
  }
  bool contains(DeviceAddress address, uint64_t size) {
    auto found = blocks.upper_bound(address);
    if (found == blocks.begin())
      return false;
    --found;
    return gpuexec::lies_in(address, size, found->first, found->second);
  }
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override {
    if (!contains(from, size))
      return llvm::createStringError("unmapped");
    memcpy(to, from.shared(), size);
    return llvm::Error::success();
  }
  llvm::Error write(DeviceAddress to, const void *from,
                    uint64_t size) override {
    if (!contains(to, size))
      return llvm::createStringError("unmapped");
    memcpy(to.shared(), from, size);
    return llvm::Error::success();
  }
  bool holds(DeviceAddress address, uint64_t size, bool) override {
    return contains(address, size);
  }
  void *host_view(DeviceAddress address, uint64_t size, bool) override {
    return views && contains(address, size) ? address.shared() : nullptr;
  }
  class Copies : public CopyBuffer {
  public:
    explicit Copies(BoundedMemory &memory) : memory(memory) {}
    ~Copies() override { memory.copies_taken = false; }
    size_t size() const override { return sizeof bytes[0]; }
    char *data(unsigned half) override { return bytes[half]; }
    llvm::Error start_read(unsigned half, size_t offset, DeviceAddress from,
                           uint64_t size) override {
      if (offset + size > sizeof bytes[0])
        abort();
      return memory.read(bytes[half] + offset, from, size);
    }
    llvm::Error start_write(unsigned half, DeviceAddress to,
                            uint64_t size) override {
      if (size > sizeof bytes[0])
        abort();
      return memory.write(to, bytes[half], size);
    }
    llvm::Error finish(unsigned) override { return llvm::Error::success(); }

  private:
    BoundedMemory &memory;
    char bytes[2][4096];
  };
  std::unique_ptr<CopyBuffer> copy_buffer() override {
    if (!copies || std::exchange(copies_taken, true))
      return nullptr;
    return std::make_unique<Copies>(*this);
  }
  std::map<DeviceAddress, uint64_t> blocks;
  uint64_t used = 0, last = 0;
  bool views = true, copies = false, copies_taken = false;
};

struct World {
  std::string directory;
  int null_in, null_out;
  World() {
    directory = std::filesystem::temp_directory_path() / "gpuexec-fuzz-XXXXXX";
    mkdtemp(directory.data());
    null_in = open("/dev/null", O_RDONLY);
    null_out = open("/dev/null", O_WRONLY);
    // A file may grow through ftruncate and seek: not beyond this.
    rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
  }
  ~World() {
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  }
  void clean() {
    std::error_code ignored;
    for (auto &entry :
         std::filesystem::directory_iterator(directory, ignored)) {
      chmod(entry.path().c_str(), 0700);
      std::filesystem::remove_all(entry.path(), ignored);
    }
    std::ofstream(directory + "/file") << "some text\nin two lines\n";
  }
};

class Input {
public:
  Input(const uint8_t *data, size_t size) : at(data), end(data + size) {}
  bool done() const { return at == end; }
  uint8_t byte() { return at == end ? 0 : *at++; }
  uint64_t word() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
      value |= uint64_t(byte()) << 8 * i;
    return value;
  }
  void bytes(unsigned char *to, size_t size) {
    for (size_t i = 0; i < size; ++i)
      to[i] = byte();
  }

private:
  const uint8_t *at, *end;
};

/// The device's side of one call that keeps to its sequence.
class ClientCall {
public:
  /// `value` and `turn`: the next word of the input; the server's turn.
  ClientCall(Input &input, std::function<uint64_t()> value,
             std::function<void()> turn, uint32_t &outbox, rpc_packet *packets,
             uint32_t lanes)
      : input(input), value(value), turn(turn), outbox(outbox),
        packets(packets), lanes(lanes) {}

  void play(const Sequence &sequence) {
    for (unsigned at = 0; at < sequence.count; ++at) {
      unsigned times = sequence.steps[at].repeated ? input.byte() % 3 : 1;
      for (; times && !input.done(); --times)
        step(sequence.steps[at]);
    }
    if (received)
      flip(); // the end of the call
  }

private:
  void step(const Step &step) {
    if (!step.by_client) {
      if (received)
        flip();
      received = true;
    } else if (step.is_stream()) {
      send_stream(text());
    } else {
      send([&](rpc_packet &packet) {
        for (unsigned i = 0; i < step.field_count; ++i) {
          const Field &field = step.fields[i];
          if (field.is_text)
            strncpy((char *)&packet.words[field.word], text().c_str(),
                    field.words * 8);
          else
            packet.words[field.word] = value();
        }
      });
    }
  }
  std::string text() {
    uint8_t which = input.byte();
    if (which < 128)
      return std::string(TEXTS[which % std::size(TEXTS)]) + '\0';
    std::string bytes(which - 128, 0);
    input.bytes((unsigned char *)bytes.data(), bytes.size());
    return bytes;
  }
  void send_stream(const std::string &data) {
    for (size_t at = 0; at == 0 || at < data.size();) {
      const size_t offset = at ? 0 : 8, room = RPC_PACKET_BYTES - offset;
      send([&](rpc_packet &packet) {
        if (!at)
          packet.words[0] = data.size();
        memcpy(packet.bytes + offset, data.data() + at,
               std::min(room, data.size() - at));
      });
      at += room;
    }
  }
  /// All lanes send the same.
  template <typename Fill> void send(Fill fill) {
    fill(packets[0]);
    for (uint32_t lane = 1; lane < lanes; ++lane)
      packets[lane] = packets[0];
    flip();
  }
  void flip() {
    outbox = !outbox;
    received = false;
    turn();
  }

  Input &input;
  std::function<uint64_t()> value;
  std::function<void()> turn;
  uint32_t &outbox;
  rpc_packet *packets;
  uint32_t lanes;
  bool received = false;
};

void play(World &world, const uint8_t *data, size_t size) {
  Input input(data, size);
  uint8_t shape = input.byte();
  uint32_t lanes = (shape & 3) == 0 ? 1 : (shape & 3) == 1 ? 64 : 32;
  auto layout = llvm::cantFail(Layout::from_client_size(
      shape & 4 ? 2096 : 552, shape & 8 ? 70 : 4, lanes));
  std::unique_ptr<char, decltype(&free)> buffer(
      static_cast<char *>(calloc(1, layout.buffer_size())), free);
  auto *inbox = (uint32_t *)(buffer.get() + layout.inbox_offset());
  auto *outbox = (uint32_t *)(buffer.get() + layout.outbox_offset());
  auto *headers = (rpc_header *)(buffer.get() + layout.headers_offset());
  auto *packets = (rpc_packet *)(buffer.get() + layout.packets_offset());
  auto *fast_slots =
      (rpc_fast_slot *)(buffer.get() + layout.fast_slots_offset());
  auto *long_requests =
      (rpc_long_request *)(buffer.get() + layout.long_requests_offset());

  BoundedMemory memory;
  memory.views = shape & 16;
  memory.copies = shape & 32;
  {
    ServerOptions options;
    options.sandbox = true;
    options.directories = {{world.directory, true, ""}};
    options.stdin_fd = world.null_in;
    options.stdout_fd = options.stderr_fd = world.null_out;
    options.malloc_alignment = 4096;
    Registry registry;
    OutcomeRecord outcome("");
    PortContext context{outcome};
    PortTable table(layout, buffer.get(), registry, context, /*stats=*/true);
    WorkerPool pool(table, outcome, 0);
    context.pool = &pool;
    auto services = llvm::cantFail(
        Services::create(registry, outcome, memory, [] {}, std::move(options)));
    auto turns = [&](int count) {
      for (int i = 0; i < count && pool.pass(); ++i)
        ;
    };
    for (int actions = 0; !input.done() && actions < 500 && !outcome.finished();
         ++actions) {
      uint8_t first = input.byte();
      uint8_t action = first < 240 ? first % 8 : first < 248 ? 9 : 8;
      uint32_t port = action == 4 || action == 7 || action == 8
                          ? 0
                          : input.byte() % layout.ports;
      auto value = [&]() -> uint64_t {
        uint8_t which = input.byte();
        return which < 128   ? VALUES[which % std::size(VALUES)]
               : which < 160 ? memory.last
                             : input.word();
      };
      auto packet = [&]() -> rpc_packet & {
        return packets[port * lanes + input.byte() % lanes];
      };
      switch (action) {
      case 0:
      case 9: {
        uint8_t number = input.byte(), which = input.byte();
        headers[port].opcode = opcode_of(number);
        headers[port].lane_mask = MASKS[which % 128 % std::size(MASKS)];
        if (which >= 128)
          headers[port].opcode |= RPC_SOA;
        number %= std::size(OPCODES) + 2;
        if (action == 9 && number < std::size(OPCODES))
          ClientCall(
              input, value, [&] { turns(4); }, outbox[port],
              packets + port * lanes, lanes)
              .play(OPCODES[number].sequence);
        break;
      }
      case 1: {
        rpc_packet &p = packet();
        uint8_t word = input.byte() % 8;
        p.words[word] = value();
        break;
      }
      case 2: {
        rpc_packet &p = packet();
        uint8_t from = input.byte() % 64;
        input.bytes(p.bytes + from, std::min(64 - from, input.byte() % 65));
        break;
      }
      case 3:
        outbox[port] = !outbox[port];
        turns(4);
        break;
      case 4:
        turns(1 + input.byte() % 8);
        break;
      case 5:
        outbox[port] = uint32_t(VALUES[input.byte() % std::size(VALUES)]);
        break;
      case 6: {
        rpc_packet &p = packet();
        uint8_t count = input.byte() % 57;
        p.words[0] = count;
        input.bytes(p.bytes + 8, count);
        break;
      }
      case 7:
        pool.drain();
        break;
      case 8: {
        const uint32_t slot = input.byte() % RPC_FAST_SLOTS;
        rpc_fast_slot &line = fast_slots[slot];
        uint32_t count = input.byte() % 8;
        uint64_t number = (line.request[0] >> 35) + 1;
        uint64_t tag = (number << 3 | count) << 32;
        line.request[0] = tag | opcode_of(input.byte());
        if (count == RPC_FAST_LONG) {
          const uint32_t size = 2 * input.byte(); // some are too large
          line.request[1] = tag | size;
          for (uint32_t i = 0; i < RPC_LONG_CELLS && 4 * i < size; ++i)
            long_requests[slot].cells[i] = tag | uint32_t(value());
          turns(4);
          break;
        }
        for (uint32_t i = 0; i < count; ++i) {
          uint64_t word = value();
          line.request[1 + 2 * i] = tag | uint32_t(word);
          if (first < 252 || i + 1 < count)
            line.request[2 + 2 * i] = tag | word >> 32;
        }
        turns(4);
        break;
      }
      }
      (void)inbox;
    }
    turns(50);
    if (!outcome.finished())
      pool.drain();
    pool.stop();
    llvm::consumeError(services->flush_all_now(Poller::Clock::now()));
    pool.stats_table(registry);
  }
  if (memory.used)
    abort();
}

// Calls of every opcode, for the fuzzer to begin with: the whole sequence, with
// other values and strings each time.
void write_corpus(const std::string &directory) {
  for (size_t i = 0; i < std::size(OPCODES); ++i)
    for (uint8_t variant = 0; variant < 6; ++variant) {
      std::string out(1, char(16 + variant));
      out += std::string{char(240), 0, char(i), char(variant % 3)};
      for (int operand = 0; operand < 8; ++operand)
        out += char(variant + operand * (variant % 2));
      out += std::string{7};
      std::ofstream(directory + "/call-" + std::string(OPCODES[i].name) + "-" +
                        std::to_string(variant),
                    std::ios::binary)
          << out;
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  if (*argc == 3 && std::string((*argv)[1]) == "--write-corpus") {
    write_corpus((*argv)[2]);
    exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static World world;
  world.clean();
  play(world, data, size);
  return 0;
}
