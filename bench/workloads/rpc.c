// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls to the host, for bench/rpc.
   usage: rpc answered N     N calls that wait for their answer, from every thread
          rpc noops N        N calls without an answer
          rpc lines N        N lines by printf
          rpc writes N SIZE  N calls of fwrite with SIZE bytes
          rpc quiet S        S seconds without any
          rpc burst N MS     N answered calls after MS (and some) ms without any, and N at once: "ticks ticks", the medians
          rpc pattern N SIZE the same with 64-bit words that say whose they are: thread, call, place */
#include "../../examples/grid.h"
#include "../../rpc/protocol/client.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char data[16 << 20];

/* Of the counter that every processor of the device has in common. */
#ifdef __NVPTX__
#define TICKS 1000000000ul
#else
#define TICKS 100000000ul
#endif
enum { ROUNDS = 15 };

static void be_quiet(unsigned long ticks) {
  unsigned long begin = __builtin_readsteadycounter();
  while (__builtin_readsteadycounter() - begin < ticks)
    __gpu_thread_suspend();
}

static int compare(const void *a, const void *b) {
  unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  unsigned long count = argc > 2 ? strtoul(argv[2], 0, 10) : 1, size = argc > 3 ? strtoul(argv[3], 0, 10) : 64;
  const char *mode = argc > 1 ? argv[1] : "";
  unsigned long sum = 0;
  if (!strcmp(mode, "answered")) {
    for (unsigned long i = 0; i < count; i++) {
#ifdef PLAIN /* for comparison: a port for one lane as well */
      rpc_port port = rpc_open(RPC_TEST_INCREMENT);
      rpc_send_begin(&port)->words[0] = sum;
      rpc_send_end(&port);
      sum = rpc_recv(&port)->words[0];
      rpc_close(&port);
#else
      rpc_words call = {{sum}};
      rpc_call(RPC_TEST_INCREMENT, &call, RPC_CALL_ONE_IN | RPC_CALL_ONE_OUT);
      sum = call.words[0];
#endif
    }
    return sum != count;
  }
  if (!strcmp(mode, "noops")) {
    for (unsigned long i = 0; i < count; i++) {
      rpc_port port = rpc_open(RPC_NOOP);
      rpc_send_begin(&port);
      rpc_send_end(&port);
      rpc_close(&port);
    }
    return 0;
  }
  if (!strcmp(mode, "lines")) {
    for (unsigned long i = 0; i < count; i++)
      printf("thread %u line %lu\n", thread_number(), i);
    return 0;
  }
  if (!strcmp(mode, "writes")) {
    if (size > sizeof data)
      return 2;
    for (unsigned long i = 0; i < count; i++)
      if (fwrite(data, 1, size, stdout) != size)
        return 1;
    return 0;
  }
  if (!strcmp(mode, "quiet")) {
    for (unsigned long i = 0; i < count; i++)
      be_quiet(TICKS);
    return 0;
  }
  if (!strcmp(mode, "burst")) {
    unsigned long times[2][ROUNDS], quiet = TICKS / 1000 * size;
    for (int i = 0; i < ROUNDS; i++) {
      be_quiet(quiet + quiet / 1300 * i); /* not always at the same time in a sleep of the server's */
      for (int again = 0; again < 2; again++) {
        unsigned long begin = __builtin_readsteadycounter();
        for (unsigned long k = 0; k < count; k++) {
          rpc_words call = {{sum}};
          rpc_call(RPC_TEST_INCREMENT, &call, RPC_CALL_ONE_IN | RPC_CALL_ONE_OUT);
          sum = call.words[0];
        }
        times[again][i] = __builtin_readsteadycounter() - begin;
      }
    }
    for (int again = 0; again < 2; again++)
      qsort(times[again], ROUNDS, sizeof times[0][0], compare);
    printf("%lu %lu\n", times[0][ROUNDS / 2], times[1][ROUNDS / 2]);
    return sum != 2 * ROUNDS * count;
  }
  if (!strcmp(mode, "pattern")) {
    unsigned long words = size / sizeof(uint64_t), thread = thread_number();
    uint64_t *mine = (uint64_t *)data + thread * words;
    if ((thread + 1) * size > sizeof data)
      return 2;
    for (unsigned long i = 0; i < count; i++) {
      for (unsigned long k = 0; k < words; k++)
        mine[k] = (uint64_t)thread << 44 | (uint64_t)i << 24 | k;
      if (fwrite(mine, 1, size, stdout) != size)
        return 1;
    }
    return 0;
  }
  return 3;
}
