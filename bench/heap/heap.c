// Pairs of malloc and free per second of all threads together, for one size: the heap's, or with "rpc" one request to the
// host per call, in the same image. bench/heap/run.py makes the table.
//   heap SIZE PAIRS [rpc]
#include "rpc/protocol/client.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *host_malloc(size_t size) {
  rpc_port port = rpc_open(RPC_MALLOC);
  rpc_send_begin(&port)->words[0] = size;
  rpc_send_end(&port);
  void *block = (void *)rpc_recv(&port)->words[0];
  rpc_close(&port);
  return block;
}

static void host_free(void *block) {
  rpc_port port = rpc_open(RPC_FREE);
  rpc_send_begin(&port)->words[0] = (uint64_t)block;
  rpc_send_end(&port);
  rpc_close(&port);
}

static unsigned finished;
static unsigned long first = ~0ul, last;

static unsigned long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ul + time.tv_nsec;
}

int main(int argc, char **argv) {
  size_t size = strtoul(argv[1], NULL, 10);
  int pairs = atoi(argv[2]), failed = 0;
  int by_host = argc > 3 && !strcmp(argv[3], "rpc");
  __atomic_fetch_min(&first, now(), __ATOMIC_RELAXED);
  for (int i = 0; i < pairs; ++i) {
    char *volatile block = by_host ? host_malloc(size) : malloc(size);
    failed |= !block;
    if (block)
      block[size - 1] = (char)i;
    by_host ? host_free(block) : free(block);
  }
  __atomic_fetch_max(&last, now(), __ATOMIC_RELAXED);
  unsigned threads = __gpu_num_threads_x() * __gpu_num_blocks_x();
  if (__atomic_fetch_add(&finished, 1, __ATOMIC_ACQ_REL) + 1 == threads)
    printf("%.0f\n", (double)threads * pairs / ((last - first) * 1e-9));
  return failed;
}
