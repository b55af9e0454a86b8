//===-- rpc/services/test_opcodes.cpp - What LLVM's tests call (section 3.10)
//==//
#include "rpc/services/services.h"

using namespace gpuexec::rpc;

static Task<> increment(Services &, Port &port) {
  co_await port.receive();
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    packet.words[0] = port.word(lane, 0) + 1;
  });
}

static Task<> echo(Services &, Port &port) {
  LaneBytes data = co_await port.receive_bytes();
  llvm::StringRef texts[64];
  port.for_each_lane([&](unsigned lane) { texts[lane] = data[lane]; });
  co_await port.send_bytes(texts);
}

// C C S C S C S S, and as the first word says one more C or S; each value is
// the one before plus 1.
static Task<> interface(Services &, Port &port) {
  uint64_t counter = 0;
  auto take = [&] {
    port.for_each_lane([&](unsigned lane) { counter = port.word(lane, 0); });
  };
  auto next = [&](unsigned, rpc_packet &packet) {
    packet.words[0] = counter = counter + 1;
  };
  co_await port.receive();
  bool end_with_receive = false;
  port.for_each_lane(
      [&](unsigned lane) { end_with_receive = port.word(lane, 0) != 0; });
  co_await port.receive();
  take();
  co_await port.send(next);
  co_await port.receive();
  take();
  co_await port.send(next);
  co_await port.receive();
  take();
  co_await port.receive();
  take();
  co_await port.send(next);
  co_await port.send(next);
  if (end_with_receive) {
    co_await port.receive();
    take();
  } else {
    co_await port.send(next);
  }
}

static Task<> nothing(Services &, Port &port) { co_await port.receive(); }

void gpuexec::rpc::add_test_services(Services &services) {
  RPC_SERVE(services, TEST_INCREMENT, increment);
  RPC_SERVE(services, TEST_INTERFACE, interface);
  RPC_SERVE(services, TEST_STREAM, echo);
  RPC_SERVE(services, TEST_NOOP_20, nothing);
  RPC_SERVE(services, TEST_INCREMENT_20, increment);
  RPC_SERVE(services, TEST_INTERFACE_20, interface);
  RPC_SERVE(services, TEST_STREAM_20, echo);
}
