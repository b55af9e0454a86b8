//===-- lending/tests/pump_test.cpp - A socket and two threads ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/pump.h"
#include "support/descriptor.h"
#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <sys/socket.h>
#include <thread>

using namespace gpuexec;
using namespace gpuexec::relay;

namespace {

/// Two ends of a connection, each with a pump: the first one with threads.
struct Pumps : testing::TestWithParam<bool> {
  void SetUp() override {
    int both[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                           0, both),
              0);
    ends[0] = UniqueFd(both[0]), ends[1] = UniqueFd(both[1]);
    here.emplace(both[0], GetParam());
    there.emplace(both[1], GetParam());
    unsigned begun = 0;
    for (Pump *each : {&*here, &*there})
      ASSERT_TRUE(each->start([&] { return ++begun > 0; }));
    EXPECT_EQ(begun, GetParam() ? 4u : 0u);
  }
  static bool is_later(ssize_t result) {
    return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
  UniqueFd ends[2];
  std::optional<Pump> here, there;
};

std::string noise(size_t size) {
  std::mt19937_64 random(size);
  std::string text(size, '\0');
  for (char &letter : text)
    letter = char(random());
  return text;
}

/// Large and small pieces, of some of which the receiver knows that they come.
TEST_P(Pumps, CarryAllInOrder) {
  const std::string sent = noise(20 << 20);
  std::thread sender([&] {
    std::mt19937_64 random(1);
    for (size_t at = 0; at < sent.size();) {
      const size_t most = random() % 3 ? 65536 : 100;
      const ssize_t some =
          here->send(sent.data() + at, std::min(most, sent.size() - at));
      if (some > 0)
        at += size_t(some);
      else if (!is_later(some))
        break;
    }
    here->drain(std::chrono::seconds(10));
  });
  std::string got(sent.size(), '\0');
  std::mt19937_64 random(2);
  size_t at = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (at < got.size() && std::chrono::steady_clock::now() < end) {
    if (random() % 4 == 0)
      there->expect(std::min<size_t>(random() % (3 << 20), got.size() - at) /
                    2);
    const size_t most = random() % 3 ? 32768 : 50;
    const ssize_t some =
        there->receive(got.data() + at, std::min(most, got.size() - at));
    if (some > 0)
      at += size_t(some);
    else if (!is_later(some))
      break;
  }
  sender.join();
  EXPECT_EQ(at, sent.size());
  EXPECT_TRUE(got == sent);
}

/// Who has said what he will send may go all the same.
TEST_P(Pumps, SeeTheEnd) {
  there->expect(1 << 20);
  EXPECT_EQ(here->send("last", 4), 4);
  here.reset();
  ends[0].close();
  std::string got;
  char bytes[16];
  ssize_t some;
  while ((some = there->receive(bytes, sizeof(bytes))) > 0 || is_later(some))
    if (some > 0)
      got.append(bytes, size_t(some));
  EXPECT_EQ(some, 0);
  EXPECT_EQ(got, "last");
  there->expect(1 << 20); // does not wait for it
  EXPECT_EQ(there->receive(bytes, sizeof(bytes)), 0);
  // Nobody takes what is sent.
  const std::string large(1 << 20, 'x');
  while ((some = there->send(large.data(), large.size())) >= 0 ||
         is_later(some))
    ;
  EXPECT_EQ(errno, EPIPE);
}

/// Nothing is sent or comes, and the pumps end all the same.
TEST_P(Pumps, EndAtAnyTime) {
  there->expect(1 << 20);
  const std::string large(4 << 20, 'x');
  for (size_t at = 0; at < large.size();) {
    const ssize_t some = here->send(large.data(), large.size() - at);
    if (some < 0)
      break; // all is full
    at += size_t(some);
  }
  there.reset();
  here.reset();
}

INSTANTIATE_TEST_SUITE_P(WithThreads, Pumps, testing::Bool());

} // namespace
