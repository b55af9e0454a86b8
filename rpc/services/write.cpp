//===-- rpc/services/write.cpp - WRITE_TO_... (spec section 3.6) ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/serve.h"

using namespace gpuexec::rpc;

/// Writes to standard stream number STANDARD, or to the request's stream if
/// that is -1.
template <rpc_opcode CODE, int STANDARD = -1, bool NEWLINE = false>
static Task<> write_data(Services &services, Port &port) {
  Call<CODE> call(port);
  co_await call.request();
  const LaneBytes &data = call.bytes("data");
  Services::Write writes[64];
  std::vector<std::shared_ptr<Stream>> held; // while we write
  port.for_each_lane([&](unsigned lane) {
    if constexpr (STANDARD >= 0) {
      writes[lane].stream = services.standard[STANDARD].get();
    } else {
      held.push_back(services.raw(call.word("handle", lane)));
      writes[lane].stream = held.back().get();
    }
    writes[lane].text = data[lane];
    writes[lane].newline = NEWLINE;
  });
  co_await services.write_lanes(port, port.mask(), writes, call.results);
  port.for_each_lane([&](unsigned lane) {
    if (!data.complete(lane) && !call.results[lane].error)
      call.results[lane].error = ENOMEM; // the result: bytes that were kept
  });
  co_await call.answer();
}

RPC_SERVE(WRITE_TO_STDOUT, write_data<RPC_WRITE_TO_STDOUT, 1>)
RPC_SERVE(WRITE_TO_STDERR, write_data<RPC_WRITE_TO_STDERR, 2>)
RPC_SERVE(WRITE_TO_STREAM, write_data<RPC_WRITE_TO_STREAM>)
RPC_SERVE(WRITE_TO_STDOUT_NEWLINE,
          write_data<RPC_WRITE_TO_STDOUT_NEWLINE, 1, true>)
