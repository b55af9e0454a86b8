//===-- rpc/tests/pending_test.cpp - Services that answer later -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Version 2 of gpuexec_service.h: serve() returns GPUEXEC_PENDING, and
// complete() ends the request. pending_service.c is the service.
#include "rpc/include/gpuexec_service.h"
#include "rpc/tests/fixture.h"
#include "gmock/gmock.h"
#include <deque>
#include <dlfcn.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;
using testing::HasSubstr;

namespace {

enum { GATHER = 0x2e00, KEEP = 0x2e01, FAIL = 0x2e02 };

struct PendingSession : Session {
  explicit PendingSession(const char *library = PENDING_SERVICE)
      : Session(setup_with(library)) {
    EXPECT_TRUE(server) << create_error;
  }
  static Setup setup_with(const char *library) {
    Setup setup;
    setup.ports = 128;
    setup.options.services = {library};
    return setup;
  }
  /// Sends a request and leaves the answer for later.
  WavePort &begin(uint32_t operation, uint64_t word) {
    ports.emplace_back(*device, GPUEXEC_USER_OPCODE(operation), 1);
    ports.back().send_words(word);
    return ports.back();
  }
  std::deque<WavePort> ports;
};

/// A counter of the service, which is loaded.
int &counter(const char *name) {
  void *library = dlopen(PENDING_SERVICE, RTLD_NOW | RTLD_NOLOAD);
  int *address = static_cast<int *>(dlsym(library, name));
  dlclose(library);
  return *address;
}

} // namespace

// More than there are threads for services that wait, 64.
TEST(PendingCalls, WaitWithoutAThread) {
  constexpr uint64_t CALLS = 100;
  PendingSession session;
  for (uint64_t i = 0; i < CALLS; ++i)
    session.begin(GATHER, CALLS);
  for (uint64_t i = 0; i < CALLS; ++i)
    EXPECT_EQ(session.ports[i].recv_words()[0], CALLS) << "call " << i;
}

TEST(PendingCalls, MayBeCompleteBeforeServeReturns) {
  PendingSession session;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(session.begin(GATHER, 1).recv_words()[0], 1u) << "call " << i;
    session.ports.clear();
  }
}

TEST(PendingCalls, EndTheProgramWithAnError) {
  PendingSession session;
  session.begin(FAIL, 5);
  const auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->message, HasSubstr("fail: failed with 5"));
}

TEST(PendingCalls, AreCancelledWhenTheProgramEnds) {
  int cancelled = 0;
  {
    PendingSession session;
    cancelled = __atomic_load_n(&counter("cancelled_calls"), __ATOMIC_SEQ_CST);
    const int kept = __atomic_load_n(&counter("kept_calls"), __ATOMIC_SEQ_CST);
    session.begin(KEEP, 0);
    while (__atomic_load_n(&counter("kept_calls"), __ATOMIC_SEQ_CST) == kept)
      std::this_thread::yield();
    session.begin(FAIL, 5);
    ASSERT_TRUE(session.wait_outcome());
    session.device->dead = true;
    session.server.reset();
    EXPECT_EQ(counter("cancelled_calls"), cancelled + 1);
  }
}

TEST(PendingCalls, AreUnknownToServicesOfVersion1) {
  PendingSession session(PENDING_SERVICE_1);
  session.begin(KEEP, 0);
  const auto outcome = session.wait_outcome();
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->message, HasSubstr("keep: failed with -2"));
}

TEST(PendingCalls, AVersionThatIsNotKnownIsRefused) {
  EXPECT_THAT(
      Session(PendingSession::setup_with(PENDING_SERVICE_3)).create_error,
      HasSubstr("interface version 3 of"));
}
