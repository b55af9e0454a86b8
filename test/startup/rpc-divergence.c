// Calls from waves whose lanes drift apart: random delays, random participation, bursts (spec 6.3).
// RUN: %gpucc %lanes -O2 -I%source %s -o %t
// RUN: %run --threads 256 --blocks 4 %t 16
// RUN: %run --threads 64 %t 128
// RUN: %if gpu %{ %run --threads 256 --blocks 64 %t 128 %}
#include "rpc/protocol/client.h"
#include "../Inputs/expect.h"
#include <stdlib.h>

static uint32_t next(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  return *state ^= *state << 5;
}

static int increment(uint32_t value) {
  rpc_port port = rpc_open(RPC_TEST_INCREMENT);
  rpc_send_begin(&port)->words[0] = value;
  rpc_send_end(&port);
  uint64_t answer = rpc_recv(&port)->words[0];
  rpc_close(&port);
  return EXPECT(answer == (uint64_t)value + 1, "%llu for %u", (unsigned long long)answer, value);
}

/// argv[1]: the least number of rounds that a thread makes; the most is about twice that.
int main(int argc, char **argv) {
  uint32_t least = argc > 1 ? (uint32_t)atoi(argv[1]) : 16;
  uint32_t state = 2463534242u + 747796405u * (__gpu_thread_id_x() + __gpu_num_threads_x() * __gpu_block_id_x());
  uint32_t iterations = least + next(&state) % least;
  int good = 1;
  for (uint32_t i = 0; i < iterations && good; i++) {
    for (volatile uint32_t delay = next(&state) % 32; delay; delay--)
      ;
    switch (next(&state) % 4) {
    case 0: break;
    case 1:
    case 2: good = increment(next(&state)); break;
    default:
      for (uint32_t burst = 2 + next(&state) % 7; burst && good; burst--)
        good = increment(next(&state));
    }
  }
  return !good;
}
