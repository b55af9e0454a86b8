//===-- rpc/tests/output_test.cpp - Writing, printf, and how output ends --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/format.h"
#include "rpc/tests/caller.h"
#include "rpc/tests/fixture.h"
#include "gmock/gmock.h"
#include <poll.h>
#include <signal.h>
#include <sys/time.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;
using testing::HasSubstr;

namespace {

/// A block of variadic arguments, as each target's compiler lays it out.
class Arguments {
public:
  explicit Arguments(Format::Packing packing) : packing(packing) {}
  template <typename T> Arguments &add(T value) {
    while (packing == Format::Packing::aligned && bytes.size() % sizeof value)
      bytes.push_back(0);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    while (packing == Format::Packing::slots && bytes.size() % 8)
      bytes.push_back('\x55'); // whatever the caller's register held
    return *this;
  }
  Format::Packing packing;
  std::string bytes;
};

/// printf as a device does it: every lane its own format, arguments and strings
/// (whose addresses are those of host memory here). Returns the results.
std::vector<uint64_t> print(Session &session, uint32_t opcode, uint64_t mask,
                            const std::function<std::string(unsigned)> &format,
                            const std::function<std::string(unsigned)> &block,
                            uint64_t handle = 0) {
  auto port = session.open(opcode, mask);
  auto with_null = [&](unsigned lane) {
    std::string text = format(lane);
    return std::string(text.c_str(), text.size() + 1);
  };
  if (opcode == RPC_PRINTF_SLOTS) {
    port.send_n([&](unsigned lane) {
      std::string text = with_null(lane);
      text.resize((text.size() + 7) / 8 * 8);
      return std::string((const char *)&handle, sizeof handle) + text +
             block(lane);
    });
  } else {
    if (opcode == RPC_PRINTF_TO_STREAM ||
        opcode == RPC_PRINTF_TO_STREAM_PACKED ||
        opcode == RPC_PRINTF_LONG_SLOTS)
      port.send_words(handle);
    port.send_n(with_null);
    auto sizes = port.recv_words();
    port.for_each_lane([&](unsigned lane) {
      EXPECT_EQ(sizes[lane], block(lane).size()) << "format " << format(lane);
    });
    port.send_n(block);
  }
  for (;;) {
    std::vector<uint64_t> results(64), addresses(64), limits(64);
    bool more = false;
    port.recv([&](unsigned lane, rpc_packet &p) {
      results[lane] = p.words[0];
      addresses[lane] = p.words[1];
      limits[lane] = p.words[2];
      more |= addresses[lane] != 0;
    });
    if (!more)
      return results;
    port.send_n([&](unsigned lane) {
      auto *text = reinterpret_cast<const char *>(addresses[lane]);
      return text ? std::string(text, strnlen(text, limits[lane]) +
                                          (limits[lane] == ~uint64_t(0)))
                  : std::string();
    });
  }
}

std::string format_alone(const std::string &format, const Arguments &arguments,
                         int *error = nullptr) {
  Format parsed(format, arguments.packing);
  EXPECT_EQ(parsed.argument_bytes(), arguments.bytes.size()) << format;
  std::vector<llvm::StringRef> copies;
  for (const auto &string : parsed.strings()) {
    auto *text =
        reinterpret_cast<const char *>(parsed.address(string, arguments.bytes));
    copies.push_back(text ? text : "");
  }
  Buffer out;
  int found = parsed.print(out, arguments.bytes, copies);
  if (error)
    *error = found;
  else
    EXPECT_EQ(found, 0) << format;
  return out.text().str();
}

} // namespace

class FormatTest : public testing::TestWithParam<Format::Packing> {
protected:
  Arguments args() { return Arguments(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Packings, FormatTest,
                         testing::Values(Format::Packing::packed,
                                         Format::Packing::aligned,
                                         Format::Packing::slots),
                         [](const auto &info) {
                           return info.param == Format::Packing::packed
                                      ? "Packed"
                                  : info.param == Format::Packing::aligned
                                      ? "Aligned"
                                      : "Slots";
                         });

TEST_P(FormatTest, AsTheHostsPrintf) {
  char expected[512];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-security"
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  auto check = [&](const Arguments &arguments, const char *format,
                   auto... values) {
    snprintf(expected, sizeof expected, format, values...);
    EXPECT_EQ(format_alone(format, arguments), expected) << format;
  };
#pragma clang diagnostic pop
  check(args(), "plain 100%% text\n");
  check(args().add(42).add(-7), "%d %i", 42, -7);
  check(args().add(-1), "%u", -1);
  check(args().add(255).add(255).add(255).add(255), "%x %X %#x %o", 255, 255,
        255, 255);
  check(args().add(5).add(-5), "%+5d|%-5d|", 5, -5);
  check(args().add(5).add(5), "%05d % d", 5, 5);
  check(args().add(1LL << 40).add(-(1LL << 40)), "%lld %ld", 1LL << 40,
        -(1LL << 40));
  check(args().add(size_t(77)).add(intmax_t(-3)).add(ptrdiff_t(9)),
        "%zu %jd %td", size_t(77), intmax_t(-3), ptrdiff_t(9));
  check(args().add(0x12345), "%hx", (unsigned short)0x12345);
  check(args().add(0x1FF), "%hhd", (signed char)0x1FF);
  check(args().add(3.25).add(1e100).add(-0.5), "%f %g %e", 3.25, 1e100, -0.5);
  check(args().add(1.0 / 3).add(1.0 / 3), "%.3f %10.2f", 1.0 / 3, 1.0 / 3);
  check(args().add(1.0), "%a", 1.0);
  check(args().add(7).add(3).add(2.5), "%*.*f", 7, 3, 2.5);
  check(args().add(-7).add(4), "%*d|", -7, 4);
  check(args().add(int('x')).add(int('y')), "%c%3c", 'x', 'y');
  check(args().add("word").add("word").add("word"), "%s|%8s|%-8s|", "word",
        "word", "word");
  check(args().add("truncated"), "%.4s", "truncated");
  check(args().add(3).add("truncated"), "%.*s", 3, "truncated");
  check(args().add((void *)0x1234).add((void *)nullptr), "%p %p",
        (void *)0x1234, (void *)nullptr);
  check(args().add(1).add(2), "%2$d %1$d", 1, 2);
  check(args().add(5), "%b %%", 5);
}

TEST_P(FormatTest, WhatOnlyADeviceSends) {
  EXPECT_EQ(format_alone("%s", args().add((char *)nullptr)), "(null)");
  EXPECT_EQ(format_alone("%Lf", args().add(1.5)), "1.500000");
  EXPECT_EQ(format_alone("%Lu %d", args().add(1ull << 40).add(7)),
            "1099511627776 7");
  EXPECT_EQ(format_alone("[%n]", args().add((void *)8)), "[]");
  EXPECT_EQ(format_alone("%k %m", args()), "%k %m");
  EXPECT_EQ(format_alone("50%", args()), "50%");
  EXPECT_EQ(format_alone("[%\007][%4l\007][%-3\007]",
                         args().add(0x20ac).add(0xfc).add(int('a'))),
            "[\u20ac][  \u00fc][a  ]");
  int error = 0;
  format_alone("%\007", args().add(0xd800), &error);
  EXPECT_EQ(error, EILSEQ);
  EXPECT_EQ(format_alone("%-+ #0", args()), "%-+ #0");
  EXPECT_EQ(format_alone("%w32d %w64d", args().add(7).add(8LL)), "7 8");
}

// int_fast16_t has 8 bytes in our client's C library and 2 in LLVM's.
TEST_P(FormatTest, FastTypesAreTheClients) {
  if (GetParam() == Format::Packing::slots)
    EXPECT_EQ(
        format_alone("%wf16d %wf32d", args().add(70000LL).add(1LL << 40)),
        "70000 1099511627776");
  else
    EXPECT_EQ(format_alone("%wf16d %wf32d", args().add(70000).add(7)),
              "4464 7");
}

TEST_P(FormatTest, HostileFormatsAreRefused) {
  int error;
  format_alone("%1000000000d", args().add(1), &error);
  EXPECT_EQ(error, EOVERFLOW);
  format_alone("%.2000000000f", args().add(1.0), &error);
  EXPECT_EQ(error, EOVERFLOW);
  format_alone("%*d", args().add(INT32_MIN).add(1), &error);
  EXPECT_EQ(error, EOVERFLOW);
  format_alone("%3$d", args(), &error); // 1 and 2 are unknown
  EXPECT_EQ(error, EINVAL);
  format_alone("%999999999$d", args(), &error);
  EXPECT_EQ(error, EINVAL);
  format_alone("%1$d %1$f", args(), &error);
  EXPECT_EQ(error, EINVAL);
  // A block that is too short reads as zero.
  Format parsed("%d %s", GetParam());
  Buffer out;
  EXPECT_EQ(parsed.print(out, "", {}), 0);
  EXPECT_EQ(out.text(), "0 (null)");
}

TEST(Printf, NullPointersAsTheLoaderOfTheVersion) {
  struct {
    uint64_t client_size;
    bool version_19;
    uint32_t opcode;
    const char *expected;
  } cases[] = {
      {552, true, RPC_PRINTF_TO_STDOUT_PACKED & 0xffff, "(nullptr) (nu"},
      {552, false, RPC_PRINTF_TO_STDOUT_PACKED, "(nullptr) (nu"},
      {552, false, RPC_PRINTF_TO_STDOUT, "(nullptr) (nu"},
      {2096, false, RPC_PRINTF_TO_STDOUT_PACKED, "(nil) "},
      {552, false, RPC_PRINTF_SLOTS, "(nil) "}, // our own client
  };
  for (const auto &[client_size, version_19, opcode, expected] : cases) {
    SCOPED_TRACE(opcode);
    Session session({.client_size = client_size, .version_19 = version_19});
    print(
        session, opcode, 1, [](unsigned) { return "%p %.3s"; },
        [](unsigned) { return std::string(16, '\0'); }, RPC_STREAM_STDOUT);
    session.server->stop();
    EXPECT_EQ(session.output(), expected);
  }
}

TEST(Printf, PointersAsLlvmPrintsThem) {
  auto text = [](const char *format, uint64_t value) {
    Arguments arguments(Format::Packing::packed);
    arguments.add(value);
    Buffer out;
    EXPECT_EQ(Format(format, Format::Packing::packed)
                  .print(out, arguments.bytes, {}, Format::Style::llvm),
              0);
    return out.text().str();
  };
  EXPECT_EQ(text("%p", 0x1a2b), "0x1a2b");
  EXPECT_EQ(text("%+p", 1), "0x1"); // no sign
  EXPECT_EQ(text("% p", 1), "0x1");
  EXPECT_EQ(text("%012p|", 0xf00), "0x0000000f00|");
  EXPECT_EQ(text("%-8p|", 0xf00), "0xf00   |");
  EXPECT_EQ(text("%12p", 0), "   (nullptr)");
  EXPECT_EQ(text("%-12p|", 0), "(nullptr)   |");
  EXPECT_EQ(text("%.4p", 0), "(nul");
  EXPECT_EQ(text("%.4s", 0), "(nul");
}

TEST(Printf, ArgumentSizesOfTheSpecification) {
  const char *mixed = "%d %f %d %lld", *two = "%d %s", *small = "%d %*c";
  using enum Format::Packing;
  EXPECT_EQ(Format(mixed, packed).argument_bytes(), 24u);
  EXPECT_EQ(Format(mixed, aligned).argument_bytes(), 32u);
  EXPECT_EQ(Format(two, packed).argument_bytes(), 12u);
  EXPECT_EQ(Format(two, aligned).argument_bytes(), 16u);
  EXPECT_EQ(Format(small, aligned).argument_bytes(), 12u);
  EXPECT_EQ(Format(small, slots).argument_bytes(), 24u);
}

TEST(Printf, LanesWithDifferentNumbersOfStrings) {
  for (uint32_t opcode : {RPC_PRINTF_TO_STDOUT_PACKED, RPC_PRINTF_TO_STDOUT,
                          RPC_PRINTF_SLOTS, RPC_PRINTF_LONG_SLOTS}) {
    const auto packing =
        opcode == RPC_PRINTF_TO_STDOUT_PACKED ? Format::Packing::packed
        : opcode == RPC_PRINTF_TO_STDOUT      ? Format::Packing::aligned
                                              : Format::Packing::slots;
    Session session({.lanes = 64});
    static const char *words[] = {"zero", "one", "two", nullptr};
    auto format = [](unsigned lane) {
      return std::string(lane % 3 == 0   ? "a%d\n"
                         : lane % 3 == 1 ? "b%d %s\n"
                                         : "c%d %s %s\n");
    };
    auto block = [&](unsigned lane) {
      Arguments arguments(packing);
      arguments.add(int(lane));
      for (unsigned i = 0; i < lane % 3; ++i)
        arguments.add(words[(lane + i) % 4]);
      return arguments.bytes;
    };
    auto results =
        print(session, opcode, ~uint64_t(0), format, block, RPC_STREAM_STDOUT);
    session.server->stop();
    std::string expected;
    for (unsigned lane = 0; lane < 64; ++lane) {
      std::string line = std::string(1, "abc"[lane % 3]) + std::to_string(lane);
      for (unsigned i = 0; i < lane % 3; ++i) {
        const char *word = words[(lane + i) % 4];
        line += std::string(" ") + (word ? word : "(null)");
      }
      EXPECT_EQ(results[lane], line.size() + 1);
      expected += line + "\n";
    }
    EXPECT_EQ(session.output(), expected);
  }
}

// Ours, with what no client of ours sends: no stream, no NUL, too few
// arguments, nothing at all.
TEST(Printf, WholeMessagesCutShort) {
  Session session({.lanes = 64});
  const uint64_t to = RPC_STREAM_STDOUT;
  std::string message((const char *)&to, sizeof to);
  message += std::string("%d|%s|%d\n\0\0\0\0\0\0\0", 16);
  message += std::string("\7\0\0\0", 4);
  const std::string no_stream(8, '\x40');
  auto port = session.open(RPC_PRINTF_SLOTS);
  port.send_n([&](unsigned lane) {
    return lane < message.size()    ? message.substr(0, lane)
           : lane == message.size() ? message
                                    : no_stream + "text";
  });
  std::vector<uint64_t> results(64), errors(64);
  port.recv([&](unsigned lane, rpc_packet &p) {
    EXPECT_EQ(p.words[1], 0u);
    results[lane] = p.words[0], errors[lane] = p.words[RPC_ERRNO_WORD];
  });
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
  EXPECT_TRUE(llvm::StringRef(session.output()).ends_with("7|(null)|0\n"));
  EXPECT_EQ(results[message.size()], 11u);
  EXPECT_EQ(int64_t(results[63]), -1);
  EXPECT_EQ(errors[63], uint64_t(EBADF));
}

TEST(Printf, LinesOfManyWavesAreWhole) {
  Session session({.ports = 32, .lanes = 32});
  for (unsigned wave = 0; wave < 16; ++wave)
    session.wave([&, wave] {
      for (unsigned i = 0; i < 8; ++i)
        print(
            session, RPC_PRINTF_TO_STDOUT, 0xFFFFFFFF,
            [](unsigned) { return std::string("wave %d line %d lane %d\n"); },
            [&](unsigned lane) {
              return Arguments(Format::Packing::aligned)
                  .add(wave)
                  .add(i)
                  .add(lane)
                  .bytes;
            });
    });
  for (auto &wave : session.waves)
    wave.join();
  session.waves.clear();
  session.server->stop();
  std::istringstream lines(session.output());
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    unsigned wave, i, lane;
    char rest;
    EXPECT_EQ(sscanf(line.c_str(), "wave %u line %u lane %u%c", &wave, &i,
                     &lane, &rest),
              3)
        << line;
    EXPECT_TRUE(seen.insert(line).second) << line;
  }
  EXPECT_EQ(seen.size(), 16u * 8 * 32);
}

TEST(Write, StandardStreams) {
  Session session({.lanes = 32});
  auto text = [](unsigned lane) {
    return std::string(lane * 9, char('a' + lane));
  };
  for (uint32_t opcode : {RPC_WRITE_TO_STDOUT, RPC_WRITE_TO_STDERR,
                          RPC_WRITE_TO_STDOUT_NEWLINE}) {
    auto port = session.open(opcode, 0b10101);
    port.send_n(text);
    auto counts = port.recv_words();
    bool newline = opcode == RPC_WRITE_TO_STDOUT_NEWLINE;
    for (unsigned lane : {0, 2, 4})
      EXPECT_EQ(counts[lane], lane * 9 + newline);
  }
  std::string plain = text(0) + text(2) + text(4);
  EXPECT_EQ(session.errors(), plain); // at once
  session.server->stop();
  EXPECT_EQ(session.output(), plain + "\n" + text(2) + "\n" + text(4) + "\n");
}

TEST(Write, UnknownHandlesAreRefused) {
  Session session({});
  for (uint64_t handle : {0ul, 0x7f0012345678ul, ~0ul, 0x6770000000000000ul}) {
    auto port = session.open(RPC_WRITE_TO_STREAM, 1);
    port.send_words(handle);
    port.send_n(std::string("lost"));
    EXPECT_EQ(port.recv_words()[0], 0u);
  }
  auto port = session.open(RPC_CLOSE_FILE, 1);
  port.send_words(0x7f0012345678);
  EXPECT_EQ(int64_t(port.recv_words()[0]), -1);
}

TEST(Write, FullDeviceIsReportedToTheLaneOrAtTheEnd) {
  int full = ::open("/dev/full", O_WRONLY);
  Session session({.stdout_fd = full, .stderr_fd = full});
  {
    auto port = session.open(RPC_WRITE_TO_STDERR, 1);
    port.send_n(std::string("unbuffered"));
    uint64_t count = 1, error = 0;
    port.recv([&](unsigned, rpc_packet &p) {
      count = p.words[0];
      error = p.words[RPC_ERRNO_WORD];
    });
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(error, uint64_t(ENOSPC));
  }
  {
    auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
    port.send_n(std::string("buffered"));
    EXPECT_EQ(port.recv_words()[0], 8u); // accepted
  }
  {
    auto port = session.open(RPC_FFLUSH, 1);
    port.send_words(RPC_STREAM_STDOUT);
    EXPECT_EQ(int64_t(port.recv_words()[0]), -1);
  }
  session.server->stop();
  auto outcome = session.server->outcome();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Outcome::Kind::error);
  EXPECT_THAT(outcome->message, HasSubstr("cannot write standard output: No "
                                          "space left on device"));
  ::close(full);
}

TEST(Write, WhatAReadCouldNotWriteIsToldToTheNextFlushOnce) {
  int full = ::open("/dev/full", O_WRONLY), ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdin_fd = ends[0], .stdout_fd = full});
  Caller c{session};
  // A read that waits has what was printed written first.
  for (uint64_t flushed : {uint64_t(RPC_STREAM_STDOUT), uint64_t(0)}) {
    {
      auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
      port.send_n(std::string("prompt"));
      EXPECT_EQ(port.recv_words()[0], 6u);
    }
    std::thread answer([&] {
      usleep(20000);
      EXPECT_EQ(::write(ends[1], "x", 1), 1);
    });
    EXPECT_EQ(c.fread(RPC_STREAM_STDIN, 1), "x");
    answer.join();
    EXPECT_EQ(c.call(RPC_FFLUSH, flushed), -1);
    EXPECT_EQ(c.call(RPC_FFLUSH, flushed), 0);
  }
  for (int fd : {full, ends[0], ends[1]})
    ::close(fd);
}

TEST(Write, ClosedPipeEndsTheProgramQuietly) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdout_fd = ends[1]});
  ::close(ends[0]);
  session.wave([&] {
    while (!session.device->dead) {
      auto port = session.open(RPC_WRITE_TO_STDOUT_NEWLINE);
      port.send_n(std::string(1000, 'y'));
      port.recv_words();
    }
  });
  auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Outcome::Kind::closed_pipe);
  session.server->stop();
  ::close(ends[1]);
}

TEST(Write, SlowReaderDoesNotHoldUpOthersOrAbandon) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Session session({.stdout_fd = ends[1]});
  session.wave([&] { // more than any pipe takes
    auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
    port.send_n(std::string(4 << 20, 'z'));
    port.recv_words();
  });
  for (int i = 0; i < 5000 && session.server->open_ports().empty(); ++i)
    usleep(1000);
  usleep(50000);
  EXPECT_THAT(session.server->open_ports(),
              testing::MatchesRegex("port [0-9]+: WRITE_TO_STDOUT, lanes 0x1, "
                                    "waiting for the (host|device)\n"));
  for (int i = 0; i < 100; ++i) {
    auto port = session.open(RPC_TEST_INCREMENT, 1);
    port.send_words(i);
    EXPECT_EQ(port.recv_words()[0], uint64_t(i) + 1);
  }
  auto begin = std::chrono::steady_clock::now();
  session.server->abandon();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Write, SignalsDoNotInterrupt) {
  // A timer whose handler does not restart calls, while a pipe is slow.
  struct sigaction action = {}, before;
  action.sa_handler = [](int) {};
  sigaction(SIGALRM, &action, &before);
  itimerval often = {{0, 500}, {0, 500}}, never = {};
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  std::string got, sent;
  std::thread reader([&] {
    char buffer[3000];
    for (;;) {
      ssize_t count = ::read(ends[0], buffer, sizeof buffer);
      if (count == 0)
        break;
      if (count > 0)
        got.append(buffer, size_t(count));
    }
  });
  setitimer(ITIMER_REAL, &often, nullptr);
  {
    Session session({.stdout_fd = ends[1]});
    for (int i = 0; i < 30; ++i) {
      auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
      std::string text(20000, char('a' + i % 26));
      sent += text;
      port.send_n(text);
      EXPECT_EQ(port.recv_words()[0], text.size());
    }
    session.server->stop();
    EXPECT_FALSE(session.server->outcome());
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_TRUE(got == sent);
}

TEST(Exit, FlushesAndTakesTheLowestLanesStatus) {
  for (uint64_t mask : {1ul, 0x30ul}) {
    Session session({});
    {
      auto port = session.open(RPC_WRITE_TO_STDOUT, 1);
      port.send_n(std::string("before the end"));
      port.recv_words();
    }
    std::atomic<bool> told = false;
    auto port = session.open(RPC_EXIT, mask);
    port.send_words();
    port.recv_words();
    port.send([&](unsigned lane, rpc_packet &p) {
      p.words[0] = 0xFFFFFFFF00000100 + lane;
    });
    auto outcome = session.wait_outcome();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->kind, Outcome::Kind::exit);
    EXPECT_EQ(outcome->status, mask == 1 ? 0 : 4);
    EXPECT_EQ(session.output(), "before the end");
    (void)told;
    // Nothing is served after the end.
    auto late = session.open(RPC_TEST_INCREMENT, 1);
    late.send_words(1);
    session.server->stop();
    EXPECT_NE(session.device->inbox[late.index],
              session.device->outbox[late.index]);
  }
}

TEST(Exit, AbortAndNotifier) {
  Session session({});
  auto port = session.open(RPC_ABORT, 1);
  port.send_words();
  port.recv_words();
  port.send_words();
  auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind, Outcome::Kind::abort);
}
