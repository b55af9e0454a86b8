// Calls from 512 threads in a grid of three dimensions, each thread a different number of them, so that lanes leave the
// loop at different times; then two branches of a wave send at once (spec 6.3).
// RUN: %gpucc %lanes -O2 -I%source %s -o %t
// RUN: %run --blocks-x 2 --blocks-y 2 --blocks-z 2 --threads-x 4 --threads-y 4 --threads-z 4 %t
// RUN: %run --threads 256 --blocks 3 %t
// RUN: %run %t
#include "rpc/protocol/client.h"
#include "../Inputs/expect.h"

static uint64_t increment(uint64_t value) {
  rpc_port port = rpc_open(RPC_TEST_INCREMENT);
  rpc_send_begin(&port)->words[0] = value;
  rpc_send_end(&port);
  value = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return value;
}

int main(void) {
  unsigned thread = __gpu_thread_id_x() + 4 * __gpu_thread_id_y() + 16 * __gpu_thread_id_z();
  unsigned block = __gpu_block_id_x() + 2 * __gpu_block_id_y() + 4 * __gpu_block_id_z();
  uint64_t count = 10 + 10 * (thread % 64) + 10 * block, sum = 0;
  for (uint64_t i = 0; i < count; i++)
    sum = increment(sum);
  if (!EXPECT(sum == count, "%llu of %llu", (unsigned long long)sum, (unsigned long long)count))
    return 1;
  if (thread & 1) {
    rpc_port port = rpc_open(RPC_NOOP);
    rpc_send_begin(&port);
    rpc_send_end(&port);
    rpc_close(&port);
  } else {
    rpc_port port = rpc_open(RPC_NOOP);
    rpc_send_begin(&port);
    rpc_send_end(&port);
    rpc_close(&port);
  }
  return 0;
}
