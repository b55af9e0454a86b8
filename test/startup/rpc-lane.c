// Every lane has a slot of its own: what it sends comes back to it (spec 6.3).
// RUN: %gpucc %lanes -O2 -I%source %s -o %t
// RUN: %run --threads 32 %t
// RUN: %run --threads 64 %t
// RUN: %run --threads 7 %t
#include "rpc/protocol/client.h"
#include "../Inputs/expect.h"

int main(void) {
  if (!EXPECT(__gpu_thread_id_x() % __gpu_num_lanes() == __gpu_lane_id(), "lane %u", __gpu_lane_id()))
    return 1;
  rpc_port port = rpc_open(RPC_TEST_INCREMENT);
  rpc_send_begin(&port)->words[0] = __gpu_lane_id();
  rpc_send_end(&port);
  uint64_t answer = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return !EXPECT(answer == __gpu_lane_id() + 1, "%llu in lane %u", (unsigned long long)answer, __gpu_lane_id());
}
