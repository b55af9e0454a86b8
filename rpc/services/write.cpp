//===-- rpc/services/write.cpp - WRITE_TO_... (spec section 3.6)
//-----------===//
#include "rpc/services/services.h"

using namespace gpuexec::rpc;

static Task<> write_data(Services &services, Port &port) {
  Services::Write writes[64];
  std::vector<std::shared_ptr<Stream>> held; // while we write
  switch (port.opcode()) {
  case RPC_WRITE_TO_STREAM:
    co_await port.receive();
    port.for_each_lane([&](unsigned lane) {
      held.push_back(services.raw(port.word(lane, 0)));
      writes[lane].stream = held.back().get();
    });
    break;
  case RPC_WRITE_TO_STDERR:
    port.for_each_lane([&](unsigned lane) {
      writes[lane].stream = services.standard[2].get();
    });
    break;
  default:
    port.for_each_lane([&](unsigned lane) {
      writes[lane].stream = services.standard[1].get();
      writes[lane].newline = port.opcode() == RPC_WRITE_TO_STDOUT_NEWLINE;
    });
  }
  LaneBytes data = co_await port.receive_bytes();
  port.for_each_lane([&](unsigned lane) { writes[lane].text = data[lane]; });
  Results results;
  co_await services.write_lanes(port, writes, results);
  port.for_each_lane([&](unsigned lane) {
    if (!data.complete(lane) && !results.errors[lane])
      results.errors[lane] = ENOMEM; // the count says how much was kept
  });
  co_await port.reply(results.values, results.errors);
}

void gpuexec::rpc::add_write_services(Services &services) {
  RPC_SERVE(services, WRITE_TO_STDOUT, write_data);
  RPC_SERVE(services, WRITE_TO_STDERR, write_data);
  RPC_SERVE(services, WRITE_TO_STREAM, write_data);
  RPC_SERVE(services, WRITE_TO_STDOUT_NEWLINE, write_data);
}
