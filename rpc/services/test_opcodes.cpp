//===-- rpc/services/test_opcodes.cpp - LLVM's own tests (section 3.10) ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/serve.h"

using namespace gpuexec::rpc;

namespace {

void no_operation(Services &) {}
Result increment(Services &, uint64_t value) { return int64_t(value + 1); }

template <rpc_opcode CODE> Task<> echo(Services &, Port &port) {
  Call<CODE, ResultBytes<llvm::StringRef>> call(port);
  co_await call.request();
  port.for_each_lane([&](unsigned lane) {
    call.results[lane].bytes = call.bytes("data")[lane];
  });
  co_await call.answer();
}

// Each value is the one before plus 1.
template <rpc_opcode CODE> Task<> interface(Services &, Port &port) {
  Call<CODE> call(port);
  co_await call.request();
  if (port.is_replayed() && !co_await port.replayed_answer())
    co_return;
  uint64_t counter = 0;
  bool client_ends = false;
  port.for_each_lane([&](unsigned lane) {
    client_ends = call.word("client_ends", lane) != 0;
    counter = call.word("value", lane);
  });
  auto take = [&] {
    port.for_each_lane([&](unsigned lane) { counter = port.word(lane, 0); });
  };
  auto next = [&](unsigned, rpc_packet &packet) {
    packet.words[0] = counter = counter + 1;
  };
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
  if (client_ends)
    co_await port.receive();
  else
    co_await port.send(next);
}

} // namespace

RPC_SERVE(TEST_INCREMENT, increment)
RPC_SERVE(TEST_INTERFACE, interface<RPC_TEST_INTERFACE>)
RPC_SERVE(TEST_STREAM, echo<RPC_TEST_STREAM>)
RPC_SERVE(TEST_NOOP_20, no_operation)
RPC_SERVE(TEST_INCREMENT_20, increment)
RPC_SERVE(TEST_INTERFACE_20, interface<RPC_TEST_INTERFACE_20>)
RPC_SERVE(TEST_STREAM_20, echo<RPC_TEST_STREAM_20>)
