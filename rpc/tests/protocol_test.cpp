//===-- rpc/tests/protocol_test.cpp - Layouts, versions, test opcodes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/journal.h"
#include "rpc/tests/fixture.h"
#include "gmock/gmock.h"

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;
using testing::HasSubstr;

static size_t size_for(uint32_t ports, uint32_t lanes, uint64_t client = 552) {
  auto layout = Layout::from_client_size(client, ports, lanes);
  EXPECT_TRUE(bool(layout));
  return layout->packets_offset() + sizeof(rpc_packet) * ports * lanes;
}

static std::string refusal(uint64_t size, uint32_t ports = 1,
                           uint32_t lanes = 32) {
  auto layout = Layout::from_client_size(size, ports, lanes);
  EXPECT_FALSE(bool(layout));
  return llvm::toString(layout.takeError());
}

TEST(Layout, SizesOfTheSpecification) {
  EXPECT_EQ(size_for(1, 1), 88u);
  EXPECT_EQ(size_for(64, 32), 132608u);
  EXPECT_EQ(size_for(4096, 32), 8486912u);
  EXPECT_EQ(size_for(4096, 64), 16875520u);
  EXPECT_EQ(size_for(64, 32, 2096), 132608u + 64);
}

TEST(Layout, VersionsByTheSizeOfTheClient) {
  auto v22 = llvm::cantFail(Layout::from_client_size(552, 9999, 64));
  EXPECT_EQ(v22.ports, 4096u);
  EXPECT_EQ(v22.first_version, 20u);
  EXPECT_EQ(v22.last_version, 22u);
  auto v23 = llvm::cantFail(Layout::from_client_size(2096, 99999, 64));
  EXPECT_EQ(v23.ports, 16384u);
  EXPECT_EQ(v23.inbox_offset(), 64u);
  EXPECT_EQ(v23.first_version, 23u);
}

TEST(Layout, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refusal(560), HasSubstr("has 560 bytes, expected 552 (LLVM 20 to "
                                      "22), 2096 (LLVM 23)"));
  EXPECT_THAT(refusal(8), HasSubstr("has 8 bytes"));
  EXPECT_THAT(refusal(552, 1, 16), HasSubstr("wave size 16"));
  EXPECT_THAT(refusal(552, 0), HasSubstr("at least one port"));
}

TEST(Layout, Version19HasItsOwnSymbolAndOpcodes) {
  auto v19 = llvm::cantFail(Layout::for_version_19(9999, 64));
  EXPECT_EQ(v19.ports, 4096u);
  EXPECT_EQ(v19.client_size, 552u);
  EXPECT_TRUE(v19.short_opcodes && v19.llvm_formatter);
  auto narrow = Layout::for_version_19(1, 16);
  ASSERT_FALSE(bool(narrow));
  EXPECT_THAT(llvm::toString(narrow.takeError()), HasSubstr("wave size 16"));
}

TEST(Version19, OpcodesHaveSixteenBitsAndNoClass) {
  Session session({.version_19 = true});
  const uint32_t rubbish = 0xdead0000;
  session.open(RPC_TEST_NOOP_20 | rubbish, 1).send_words();
  {
    auto port = session.open(RPC_TEST_INCREMENT_20 | rubbish, 1);
    port.send_words(6);
    EXPECT_EQ(port.recv_words()[0], 7u);
  }
  {
    auto port =
        session.open((RPC_WRITE_TO_STDOUT & 0xffff) | 0x80000000 | rubbish, 1);
    port.send_n("nineteen\n");
    EXPECT_EQ(port.recv_words()[0], 9u);
  }
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
  EXPECT_EQ(session.output(), "nineteen\n");
}

struct Shape {
  uint32_t ports, lanes;
  uint64_t client;
};
class Protocol : public testing::TestWithParam<Shape> {
protected:
  Session session{{.ports = GetParam().ports,
                   .lanes = GetParam().lanes,
                   .client_size = GetParam().client}};
};
INSTANTIATE_TEST_SUITE_P(Shapes, Protocol,
                         testing::Values(Shape{1, 1, 552}, Shape{1, 32, 552},
                                         Shape{64, 32, 552}, Shape{65, 64, 552},
                                         Shape{4096, 64, 552},
                                         Shape{3, 64, 2096},
                                         Shape{130, 32, 2096}),
                         [](const auto &info) {
                           return "Ports" + std::to_string(info.param.ports) +
                                  "Lanes" + std::to_string(info.param.lanes) +
                                  "Client" + std::to_string(info.param.client);
                         });

TEST_P(Protocol, IncrementKeepsLanesApart) {
  for (uint32_t opcode : {RPC_TEST_INCREMENT, RPC_TEST_INCREMENT_20}) {
    for (int round = 0; round < 100; ++round) {
      WavePort port(*session.device, opcode, session.all_lanes, round);
      port.send([&](unsigned lane, rpc_packet &p) {
        p.words[0] = lane * 1000 + round;
      });
      auto words = port.recv_words();
      port.for_each_lane([&](unsigned lane) {
        EXPECT_EQ(words[lane], lane * 1000 + round + 1);
      });
    }
  }
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
}

TEST_P(Protocol, InterfaceEndsEitherWay) {
  for (uint64_t flag : {1, 0, 1}) {
    auto port = session.open(RPC_TEST_INTERFACE, 1);
    uint64_t value = 0;
    auto send = [&] { port.send_words(++value); };
    auto recv = [&] {
      uint64_t got = port.recv_words()[0];
      EXPECT_EQ(got, value + 1);
      value = got;
    };
    port.send_words(flag);
    send(), recv(), send(), recv(), send(), send(), recv(), recv();
    flag ? send() : recv();
    EXPECT_EQ(value, 9u);
  }
}

TEST_P(Protocol, StreamsOfUnequalLengths) {
  std::string table;
  for (int i = 0; i < 2000; ++i)
    table += char(i * 7);
  for (uint64_t base : {0, 1, 56, 57, 120, 121, 500, 1900}) {
    auto port = session.open(RPC_TEST_STREAM);
    auto text = [&](unsigned lane) {
      return table.substr(lane, (base + lane * 13) % 1937);
    };
    port.send_n(text);
    auto back = port.recv_n();
    port.for_each_lane(
        [&](unsigned lane) { EXPECT_EQ(back[lane], text(lane)); });
  }
}

TEST_P(Protocol, LargeStreamIsWhole) {
  std::string text(150'001, 'x');
  for (size_t i = 0; i < text.size(); i += 1000)
    text[i] = char(i / 1000);
  auto port = session.open(RPC_TEST_STREAM, 1);
  port.send_n(text);
  EXPECT_TRUE(port.recv_n()[0] == text);
}

TEST_P(Protocol, RequestWithoutAnswerIsServedBeforeTheEnd) {
  for (int i = 0; i < 10; ++i) {
    auto port = session.open(RPC_NOOP);
    port.send_words();
  }
  session.server->stop();
  // Every port went back to the client.
  for (uint32_t i = 0; i < session.device->ports; ++i)
    EXPECT_EQ(session.device->inbox[i], session.device->outbox[i]);
}

//===-- The fast path -------------------------------------------------------===//

/// One slot as a lane of the device uses it.
struct FastLane {
  FastLane(Session &session, unsigned slot)
      : session(session), line(*(reinterpret_cast<rpc_fast_slot *>(
                                     static_cast<char *>(session.buffer.get()) +
                                     session.layout.fast_slots_offset()) +
                                 slot)),
        cells(reinterpret_cast<rpc_long_request *>(
                  static_cast<char *>(session.buffer.get()) +
                  session.layout.long_requests_offset())[slot]
                  .cells) {}
  void put(unsigned cell, uint64_t data) {
    std::atomic_ref(line.request[cell])
        .store(uint64_t(tag) << 32 | uint32_t(data), std::memory_order_release);
  }
  void begin(size_t words) { tag = ((tag >> 3) + 1) << 3 | uint32_t(words); }
  void ask(uint32_t opcode, std::vector<uint64_t> words) {
    begin(words.size());
    put(0, opcode); // the worst order
    for (size_t i = 0; i < words.size(); ++i) {
      put(unsigned(2 * i + 2), words[i] >> 32);
      put(unsigned(2 * i + 1), words[i]);
    }
  }
  /// Sends a stream as a long request. `size`: what it says of its size.
  void ask(uint32_t opcode, const std::string &bytes, size_t size) {
    begin(RPC_FAST_LONG);
    put(0, opcode);
    put(1, size);
    for (size_t at = (bytes.size() + 3) / 4 * 4; at;
         at -= 4) { // the last first
      uint32_t part = 0;
      memcpy(&part, &bytes[at - 4], std::min<size_t>(4, bytes.size() - at + 4));
      std::atomic_ref(cells[at / 4 - 1])
          .store(uint64_t(tag) << 32 | part, std::memory_order_release);
    }
  }
  uint64_t cell(unsigned i) {
    for (;;) {
      uint64_t value =
          std::atomic_ref(line.answer[i]).load(std::memory_order_acquire);
      uint32_t found = uint32_t(value >> 32);
      is_short = i == 0 && (found & RPC_FAST_SHORT);
      if (found == (is_short ? tag | RPC_FAST_SHORT : tag))
        return uint32_t(value);
      std::this_thread::yield();
    }
  }
  uint64_t word(unsigned i) { return cell(i) | cell(i + 1) << 32; }
  uint64_t call(uint32_t opcode, std::vector<uint64_t> words) {
    ask(opcode, std::move(words));
    uint64_t low = cell(0);
    bool was_short = is_short;
    error = int(cell(RPC_FAST_ERRNO_CELL));
    EXPECT_EQ(was_short, !error && !cell(1));
    return low | cell(1) << 32;
  }
  Session &session;
  rpc_fast_slot &line;
  uint64_t *cells; // of long requests
  uint32_t tag = 0;
  int error = 0;
  bool is_short = false;
};

TEST(FastPath, IsOfferedBehindTheMailbox) {
  Session session({});
  rpc_extensions extensions;
  auto bytes = session.server->extensions_object();
  memcpy(&extensions, bytes.data(), sizeof extensions);
  EXPECT_TRUE(extensions.features & RPC_FEATURE_FAST_PATH);
  EXPECT_EQ(extensions.fast_slots, uint64_t(session.buffer.get()) +
                                       session.layout.fast_slots_offset());
  EXPECT_EQ(extensions.fast_slots % 64, 0u);
  EXPECT_EQ(session.layout.output_offset(),
            session.layout.fast_slots_offset() +
                extensions.fast_slot_count * sizeof(rpc_fast_slot));
  EXPECT_EQ(session.layout.long_requests_offset(),
            session.layout.output_offset() + sizeof(rpc_output));
  EXPECT_EQ(extensions.long_requests,
            uint64_t(session.buffer.get()) +
                session.layout.long_requests_offset());
  EXPECT_EQ(session.layout.buffer_size(),
            session.layout.long_requests_offset() +
                extensions.fast_slot_count * sizeof(rpc_long_request));
}

/// Who has called.
struct Callers : Journal {
  bool replays() const override { return false; }
  void served(const CallNotes &call, Turn) override {
    calls.push_back({call.caller, call.mask});
  }
  std::vector<std::pair<uint32_t, uint64_t>> calls; // wave + 1, lanes
};

TEST(FastPath, SaysWhoCallsInOneCellOrInAWord) {
  Callers callers;
  ServerOptions options;
  options.journal = borrowed(callers);
  Session session({.options = std::move(options)});
  rpc_extensions extensions;
  auto bytes = session.server->extensions_object();
  memcpy(&extensions, bytes.data(), sizeof extensions);
  EXPECT_TRUE(extensions.features & RPC_FEATURE_CALLER_CELL);
  session.wave([&session] {
    FastLane lane(session, 3);
    lane.begin(RPC_FAST_CALLER_WORDS);
    for (unsigned i = 1; i <= 6; ++i)
      lane.put(i, i == 1 ? 41 : 0);
    lane.put(0, RPC_TEST_INCREMENT);
    usleep(2000); // it is not whole
    lane.put(7, RPC_FAST_CALLER(RPC_FAST_CALLER_WAVES - 1, 63));
    EXPECT_EQ(lane.word(0), 42u);
    const uint64_t caller = RPC_CALLER(1234567) | uint64_t(31) << 32;
    EXPECT_EQ(lane.call(RPC_TEST_INCREMENT, {7, 0, 0, caller}), 8u);
  });
  session.waves.front().join();
  session.waves.clear();
  session.server->stop();
  const std::vector<std::pair<uint32_t, uint64_t>> expected = {
      {RPC_FAST_CALLER_WAVES, uint64_t(1) << 63}, {1234568, uint64_t(1) << 31}};
  EXPECT_EQ(callers.calls, expected);
}

// REMOVE: a path as a stream, an answer of one word and errno.
TEST(FastPath, StreamsOfAllSizesThatFit) {
  Session session({.ports = 3, .lanes = 32});
  session.wave([&session] {
    FastLane lane(session, 7);
    for (size_t size = 0; size <= RPC_LONG_BYTES; ++size) {
      const std::string name(size < 2 ? 0 : size - 1, 'n');
      std::string path = name + std::string(size - name.size(), 0);
      lane.ask(RPC_REMOVE, path, size);
      EXPECT_EQ(int64_t(lane.word(0)), -1) << size;
      EXPECT_EQ(lane.cell(RPC_FAST_ERRNO_CELL), uint64_t(ENOENT)) << size;
      EXPECT_EQ(lane.call(RPC_TEST_INCREMENT, {size}), size + 1); // in turns
    }
    std::string path = "/tmp/gpuexec-long-XXXXXX";
    close(mkstemp(path.data()));
    path += '/';
    path += std::string(RPC_LONG_BYTES - 1 - path.size(), '.');
    lane.ask(RPC_REMOVE, path + '\0', RPC_LONG_BYTES);
    EXPECT_EQ(lane.word(0), ~uint64_t(0)); // no directory
    EXPECT_EQ(lane.cell(RPC_FAST_ERRNO_CELL), uint64_t(ENOTDIR));
    path.resize(path.find_last_not_of("./") + 1);
    lane.ask(RPC_REMOVE, path + '\0', path.size() + 1);
    EXPECT_EQ(lane.word(0), 0u);
    EXPECT_NE(access(path.c_str(), F_OK), 0);
  });
  session.waves.front().join();
  session.waves.clear();
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
}

TEST(FastPath, RefusesAStreamThatDoesNotFit) {
  Session session({.ports = 3, .lanes = 32});
  FastLane lane(session, 7);
  lane.ask(RPC_REMOVE, std::string(RPC_LONG_BYTES, 'n'), RPC_LONG_BYTES + 1);
  auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->message, testing::HasSubstr("words or 256 bytes"));
}

TEST(FastPath, WordsAndErrorsOfManyLanesAtOnce) {
  Session session({.ports = 100, .lanes = 64});
  for (unsigned slot = 0; slot < RPC_FAST_SLOTS; slot += 3)
    session.wave([&session, slot] {
      FastLane lane(session, slot);
      uint64_t value = uint64_t(slot) << 40 | 0xFFFFFFF0;
      for (unsigned i = 0; i < 500; ++i) {
        uint64_t next = lane.call(RPC_TEST_INCREMENT, {value});
        ASSERT_EQ(next, value + 1);
        value = next;
        if (i % 50)
          continue;
        EXPECT_EQ(int64_t(lane.call(RPC_CLOSE, {9999 + slot})), -1);
        EXPECT_EQ(lane.error, EBADF);
        lane.call(RPC_GETPID, {});
        EXPECT_EQ(lane.word(RPC_FAST_WORD1_CELL), uint64_t(getpid()));
        EXPECT_EQ(lane.error, 0);
      }
    });
  session.wave([&session] { // ports meanwhile
    for (uint64_t i = 0; i < 500; ++i) {
      auto port = session.open(RPC_TEST_INCREMENT);
      port.send_words(i);
      ASSERT_EQ(port.recv_words()[63], i + 1);
    }
  });
  for (std::thread &wave : session.waves)
    wave.join();
  session.waves.clear();
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
}

TEST(FastPath, WhatNeverBecomesWholeIsForgotten) {
  Session session({});
  FastLane lane(session, 5);
  lane.begin(2);
  lane.put(0, RPC_TEST_INCREMENT);
  lane.put(1, 7);
  session.server->drain(); // does not wait for the rest
  EXPECT_NE(std::atomic_ref(lane.line.answer[0]).load() >> 32, lane.tag);
  lane.put(2, 0);
  lane.put(3, 0);
  lane.put(4, 0);
  EXPECT_EQ(lane.word(0), 8u);
  // A service that wants more than one packet: its wave is gone, and then the
  // slot can be used again.
  lane.ask(RPC_WRITE_TO_STREAM, {RPC_STREAM_STDOUT});
  session.server->drain();
  EXPECT_EQ(lane.call(RPC_TEST_INCREMENT, {1}), 2u);
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
}

TEST(FastPath, TooManyWordsEndTheProgram) {
  Session session({});
  FastLane lane(session, 31);
  lane.begin(7);
  lane.put(0, RPC_TEST_INCREMENT);
  auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->message,
              testing::HasSubstr("a bad tag or more than 4 words"));
}

TEST(Server, ManyWavesAtOnce) {
  Session session({.ports = 100, .lanes = 64});
  constexpr int WAVES = 16, CALLS = 500;
  std::atomic<uint64_t> sum = 0;
  for (int wave = 0; wave < WAVES; ++wave)
    session.wave([&, wave] {
      for (int i = 0; i < CALLS; ++i) {
        uint64_t mask = uint64_t(wave * 77 + i + 1) * 0x9E3779B97F4A7C15u | 1;
        WavePort port(*session.device, RPC_TEST_INCREMENT, mask, wave * 6);
        port.send([&](unsigned lane, rpc_packet &p) { p.words[0] = lane + i; });
        auto words = port.recv_words();
        port.for_each_lane([&](unsigned lane) {
          EXPECT_EQ(words[lane], lane + i + 1);
          if (words[lane] == lane + i + 1)
            ++sum;
        });
      }
    });
  for (auto &wave : session.waves)
    wave.join();
  session.waves.clear();
  session.server->stop();
  EXPECT_GT(sum.load(), uint64_t(WAVES * CALLS));
}

TEST(Server, WaveSizeChangesBetweenKernels) {
  Session session({.ports = 8, .lanes = 64});
  for (uint32_t lanes : {32, 64, 32}) {
    session.server->set_lanes(lanes);
    Device device(session.server->client_object(), lanes);
    for (uint32_t start = 0; start < 8; ++start) {
      uint64_t mask = lanes == 64 ? ~uint64_t(0) : 0xFFFFFFFF;
      WavePort port(device, RPC_TEST_INCREMENT, mask, start);
      port.send([&](unsigned lane, rpc_packet &p) { p.words[0] = lane; });
      auto words = port.recv_words();
      for (uint32_t lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(words[lane], lane + 1);
    }
    session.server->drain();
  }
}

TEST(Server, AbandonDuringDrain) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  for (int round = 0; round < 20; ++round) {
    Session session({.stdout_fd = ends[1]});
    for (int wave = 0; wave < 4; ++wave)
      session.wave([&] { // nobody reads: it never ends
        while (!session.device->dead) {
          auto port = session.open(RPC_WRITE_TO_STDOUT);
          port.send_n(std::string(5000, 'x'));
          port.recv_words();
        }
      });
    std::thread draining([&] { session.server->drain(); });
    usleep(useconds_t(round * 300));
    session.server->abandon();
    draining.join();
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Server, GrowsWhenPortsQueue) {
  Session::Setup setup;
  setup.options.max_threads = 4;
  setup.options.stats = true;
  Session session(std::move(setup));
  for (int wave = 0; wave < 16; ++wave)
    session.wave([&, wave] {
      for (int i = 0; i < 10; ++i) {
        WavePort port(*session.device, RPC_TEST_STREAM, ~0u, wave * 4);
        port.send_n(std::string(5000, 'x'));
        port.recv_n();
      }
    });
  for (auto &wave : session.waves)
    wave.join();
  session.waves.clear();
  session.server->stop();
  std::string table = session.server->stats_table();
  unsigned threads = 0;
  size_t at = table.find("server threads ");
  ASSERT_NE(at, std::string::npos);
  sscanf(table.c_str() + at, "server threads %u", &threads);
  EXPECT_GE(threads, 2u);
  EXPECT_LE(threads, 4u);
}

//===-- Words behind one another instead of packets (RPC_SOA) ---------===//

TEST(StructureOfArrays, WordsAndErrnoOfAWave) {
  for (uint32_t lanes : {1u, 32u, 64u}) {
    Session session({.lanes = lanes});
    uint64_t all = session.all_lanes;
    for (uint64_t mask : {all, all & 0xF0F0F0F0F0F0F0F1, all & 1}) {
      auto words = [&](WavePort &port) {
        return reinterpret_cast<uint64_t *>(&port.packet(0));
      };
      auto put = [&](WavePort &port, uint64_t first) {
        port.send([&](unsigned lane, rpc_packet &) {
          words(port)[lane] = first + lane;
        });
      };
      for (uint32_t wanted : {0u, 1u, 3u, ~0u}) {
        auto port = session.open(RPC_TEST_INCREMENT | RPC_SOA, mask);
        session.device->headers[port.index].soa_words = wanted;
        memset(words(port), 0x55, lanes * sizeof(rpc_packet));
        put(port, uint64_t(1) << 40);
        port.recv([&](unsigned lane, rpc_packet &) {
          EXPECT_EQ(words(port)[lane], (uint64_t(1) << 40) + lane + 1);
        });
        for (unsigned lane = 0; lane < lanes; ++lane)
          if (!(mask >> lane & 1)) {
            EXPECT_EQ(words(port)[lane], 0x5555555555555555u);
          }
        if (wanted == 1) {
          EXPECT_EQ(words(port)[lanes], 0x5555555555555555u);
        }
      }
      auto port = session.open(RPC_CLOSE_FILE | RPC_SOA, mask);
      put(port, 1000);
      port.recv([&](unsigned lane, rpc_packet &) {
        EXPECT_EQ(int64_t(words(port)[lane]), -1);
        auto *errors =
            reinterpret_cast<uint32_t *>(words(port) + 3 * size_t(lanes));
        EXPECT_EQ(errors[lane], uint32_t(EBADF));
      });
    }
    EXPECT_FALSE(session.server->outcome());
  }
}

// Nobody who keeps to the rules asks for a stream that way: it ends somehow.
TEST(StructureOfArrays, StreamsMakeNoSense) {
  Session session({.lanes = 32});
  auto port = session.open(RPC_WRITE_TO_STDOUT | RPC_SOA);
  auto *sizes = reinterpret_cast<uint64_t *>(&port.packet(0));
  port.send([&](unsigned lane, rpc_packet &) { sizes[lane] = 8; });
  port.recv([&](unsigned, rpc_packet &) {});
  EXPECT_EQ(sizes[31], 8u);
  EXPECT_FALSE(session.server->outcome());
}
