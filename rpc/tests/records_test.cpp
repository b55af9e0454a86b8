//===-- rpc/tests/records_test.cpp - printf in the program's buffer -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WRITE_RECORDS and rpc_record: buffers of text and records, of good programs
// and of bad ones.
//===----------------------------------------------------------------------===//
#include "rpc/tests/fixture.h"

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

namespace {

/// Builds the content of a buffer as the C library does.
struct Filled {
  std::string bytes;
  uint32_t last = 0, end = 0;

  Filled &text(const std::string &text) {
    bytes += text;
    return *this;
  }
  static void pad(std::string &bytes) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
  }
  /// `format` includes its NUL; a string is followed by as many NULs as it has.
  Filled &record(std::string format, const std::vector<uint64_t> &slots = {},
                 const std::vector<std::string> &strings = {}) {
    rpc_record head = {0, uint32_t(bytes.size()) - end, last,
                       uint32_t(format.size())};
    pad(bytes);
    last = uint32_t(bytes.size()) + 1;
    pad(format);
    for (uint64_t slot : slots)
      format.append(reinterpret_cast<const char *>(&slot), sizeof slot);
    for (const std::string &string : strings) {
      format += string;
      pad(format);
    }
    head.size = uint32_t(sizeof head + format.size());
    bytes.append(reinterpret_cast<const char *>(&head), sizeof head);
    bytes += format;
    end = uint32_t(bytes.size());
    return *this;
  }
  rpc_record &head() {
    return *reinterpret_cast<rpc_record *>(bytes.data() + last - 1);
  }
};

std::string z(const char *text) { return std::string(text, strlen(text) + 1); }

struct Program : Session {
  explicit Program(Setup setup = {}) : Session(std::move(setup)) {
    output_buffer = reinterpret_cast<rpc_output *>(
        static_cast<char *>(buffer.get()) + layout.output_offset());
  }
  void fill(const Filled &filled) {
    memcpy(output_buffer->text, filled.bytes.data(), filled.bytes.size());
    output_buffer->used = RPC_BUFFERED(filled.bytes.size(), filled.last);
  }
  struct Answer {
    uint64_t result = 7, printed = 7, error = 7;
  };
  Answer send(uint64_t address, uint64_t buffered,
              uint64_t stream = RPC_STREAM_STDOUT) {
    auto port = open(RPC_WRITE_RECORDS, 1);
    port.send([&](unsigned, rpc_packet &packet) {
      packet.words[0] = stream;
      packet.words[1] = address;
      packet.words[2] = buffered;
    });
    Answer answer;
    port.recv([&](unsigned, rpc_packet &packet) {
      answer = {packet.words[0], packet.words[1], packet.words[RPC_ERRNO_WORD]};
    });
    port.close();
    return answer;
  }
  Answer send(const Filled &filled) {
    fill(filled);
    return send(uint64_t(output_buffer->text), output_buffer->used);
  }
  rpc_output *output_buffer;
};

Filled mixed() {
  return Filled()
      .text("first")
      .record(z(" %d %s!\n"), {uint64_t(-5), 0x1000}, {z("word")})
      .record(z("%s|%.3s|%.8s\n"), {0, 1, 2}, {"abc", z("12345678")})
      .text("then text\n")
      .record(z("plain\n"))
      .text("last");
}
const char MIXED[] =
    "first -5 word!\n(null)|abc|12345678\nthen text\nplain\nlast";

} // namespace

TEST(Records, AreFormattedInOrderWithTheTextAroundThem) {
  Program program;
  const Program::Answer answer = program.send(mixed());
  EXPECT_EQ(answer.result, 0u);
  EXPECT_EQ(answer.printed, 6u); // "plain\n"
  EXPECT_EQ(answer.error, 0u);
  EXPECT_EQ(program.output_buffer->used, 0u); // not again after a fault
  program.server->abandon();
  EXPECT_EQ(program.server->unwritten_output(), "");
  EXPECT_EQ(program.output(), MIXED);
}

TEST(Records, OfADeadProgramAreFormatted) {
  Program program;
  program.fill(mixed());
  program.server->abandon();
  EXPECT_EQ(program.server->unwritten_output(), MIXED);
}

TEST(Records, AreReadFromTheDevicesMemory) {
  Program program;
  program.memory.views = false;
  const Filled filled = mixed();
  const auto at = program.memory.allocate(filled.bytes.size(), 16);
  memcpy(at.shared(), filled.bytes.data(), filled.bytes.size());
  const uint64_t buffered = RPC_BUFFERED(filled.bytes.size(), filled.last);
  EXPECT_EQ(program.send(at.value, buffered).result, 0u);
  EXPECT_EQ(program.send(at.value + 8, buffered).error, uint64_t(EFAULT));
  EXPECT_EQ(program.send(at.value, buffered, 0x6770000000001234).error,
            uint64_t(EBADF));
  EXPECT_EQ(program.send(at.value, RPC_OUTPUT_BYTES + 1).error,
            uint64_t(EINVAL));
  program.memory.free(at);
  program.server->abandon();
  EXPECT_EQ(program.output(), MIXED);
}

TEST(Records, OneThatCannotBePrintedIsLeftOut) {
  Program program;
  const Program::Answer answer = program.send(
      Filled().record(z("%2000000d"), {1}).text("goes on").record(z("!")));
  EXPECT_EQ(answer.result, uint64_t(-1));
  EXPECT_EQ(answer.error, uint64_t(EOVERFLOW));
  program.server->abandon();
  EXPECT_EQ(program.output(), "goes on!");
}

TEST(Records, AreNotOfferedToARecordedProgram) {
  ServerOptions options;
  options.disabled_features = RPC_FEATURE_RECORDS;
  Session without({.options = std::move(options)});
  rpc_extensions extensions;
  const auto bytes = without.server->extensions_object();
  memcpy(&extensions, bytes.data(), sizeof extensions);
  EXPECT_FALSE(extensions.features & RPC_FEATURE_RECORDS);
  Session with(Session::Setup{});
  const auto more = with.server->extensions_object();
  memcpy(&extensions, more.data(), sizeof extensions);
  EXPECT_TRUE(extensions.features & RPC_FEATURE_RECORDS);
}

//===-- A program that writes on ------------------------------------------===//

namespace {

/// Sends what is in the output buffer as a program does that writes on.
Program::Answer send_and_go_on(Program &program, const Filled &filled,
                               uint64_t stream = RPC_STREAM_STDOUT) {
  program.fill(filled);
  return program.send(uint64_t(program.output_buffer->text),
                      program.output_buffer->used | RPC_BUFFERED_GOES_ON,
                      stream);
}

/// As much as a buffer holds of a line.
Filled many_lines(std::string &text) {
  Filled filled;
  for (uint64_t i = 0; filled.bytes.size() < RPC_OUTPUT_BYTES - 64; ++i) {
    filled.record(z("%d lines\n"), {i});
    text += std::to_string(i) + " lines\n";
  }
  return filled;
}

} // namespace

TEST(Records, OfAProgramThatGoesOnAreWrittenBeforeItsNextCall) {
  Program program;
  std::string expected;
  const Filled filled = many_lines(expected);
  const std::string lines = expected;
  expected.clear();
  for (int i = 0; i < 50; ++i) {
    // The device's next buffer may be the same memory.
    EXPECT_EQ(send_and_go_on(program, filled).result, 0u);
    program.fill(Filled().text("overwritten"));
    auto port = program.open(RPC_GETPID, 1);
    port.send([](unsigned, rpc_packet &) {});
    port.recv([](unsigned, rpc_packet &) {});
    port.close();
    expected += lines;
  }
  program.output_buffer->used = 0;
  program.server->abandon();
  EXPECT_EQ(program.output(), expected);
}

TEST(Records, OfAProgramThatGoesOnAreWrittenWhenItDies) {
  std::string expected;
  const Filled filled = many_lines(expected);
  for (int i = 0; i < 20; ++i) {
    Program program;
    send_and_go_on(program, filled);
    program.server->abandon();
    EXPECT_EQ(program.output() + program.server->unwritten_output(), expected);
  }
}

TEST(Records, WhatAProgramThatGoesOnHasLostIsToldByItsNextCall) {
  int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  {
    Program program({.stdout_fd = full});
    std::string text;
    const Filled filled = many_lines(text);
    // The host keeps some text before it writes.
    std::vector<uint64_t> errors;
    while (errors.size() < 100 && (errors.empty() || !errors.back()))
      errors.push_back(send_and_go_on(program, filled).error);
    EXPECT_EQ(errors.front(), 0u);
    EXPECT_EQ(errors.back(), uint64_t(ENOSPC));
  }
  ::close(full);
}

TEST(Records, DamageAfterTheAnswerEndsTheProgram) {
  Program program;
  Filled filled = mixed();
  filled.head().size = 0;
  send_and_go_on(program, filled);
  const std::optional<Outcome> outcome = program.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Outcome::Kind::error);
  program.server->abandon();
}

//===-- Damage ------------------------------------------------------------===//

namespace {

struct Damage {
  const char *name, *message;
  void (*make)(Filled &);
};

const Damage DAMAGE[] = {
    {"last behind the end", "byte 160 is not in the buffer",
     [](Filled &it) { it.last = 161; }},
    {"last far away", "byte 4294967294 is not in the buffer",
     [](Filled &it) { it.last = ~0u; }},
    {"last unaligned", "is not in the buffer", [](Filled &it) { ++it.last; }},
    {"size 0", "has an impossible size",
     [](Filled &it) { it.head().size = 0; }},
    {"size not in words", "has an impossible size",
     [](Filled &it) { --it.head().size; }},
    {"size beyond the end", "has an impossible size",
     [](Filled &it) { it.head().size = 4096; }},
    {"size near overflow", "has an impossible size",
     [](Filled &it) { it.head().size = ~7u; }},
    {"a ring", "is not in the buffer",
     [](Filled &it) { it.head().previous = it.last; }},
    {"forwards", "is not in the buffer",
     [](Filled &it) { it.head().previous = it.last + 8; }},
    {"a hole", "does not follow", [](Filled &it) { it.head().text -= 8; }},
    {"text of the past", "does not follow",
     [](Filled &it) { it.head().text = 4000; }},
    {"text near overflow", "does not follow",
     [](Filled &it) { it.head().text = ~0u; }},
    {"no format", "has no format", [](Filled &it) { it.head().format = 0; }},
    {"format without NUL", "has no format",
     [](Filled &it) { it.head().format = 3; }},
    {"format too long", "has no format",
     [](Filled &it) { it.head().format = ~0u; }},
    {"no room for arguments", "is too short",
     [](Filled &it) { it.head().size -= 16; }},
    {"no room for the string", "is too short",
     [](Filled &it) { it.head().size -= 8; }},
};

Filled damaged(const Damage &damage) {
  Filled filled = Filled()
                      .text("good text")
                      .record(z("%d\n"), {1})
                      .text("more text")
                      .record(z("%d %s\n"), {2, 8}, {z("string")});
  damage.make(filled);
  return filled;
}

} // namespace

TEST(Records, DamageIsNamed) {
  for (const Damage &damage : DAMAGE) {
    Program program;
    program.fill(damaged(damage));
    auto port = program.open(RPC_WRITE_RECORDS, 1);
    port.send([&](unsigned, rpc_packet &packet) {
      packet.words[0] = RPC_STREAM_STDOUT;
      packet.words[1] = uint64_t(program.output_buffer->text);
      packet.words[2] = program.output_buffer->used;
    });
    const std::optional<Outcome> outcome = program.wait_outcome();
    ASSERT_TRUE(outcome) << damage.name;
    EXPECT_EQ(outcome->kind, Outcome::Kind::error) << damage.name;
    EXPECT_NE(outcome->message.find(damage.message), std::string::npos)
        << damage.name << ": " << outcome->message;
    program.server->abandon();
  }
}

TEST(Records, OfADeadProgramArePrintedUpToTheDamage) {
  for (const Damage &damage : DAMAGE) {
    Program program;
    program.fill(damaged(damage));
    program.server->abandon();
    const std::string text = program.server->unwritten_output();
    EXPECT_EQ(std::string("good text1\nmore text").substr(0, text.size()), text)
        << damage.name;
  }
}
