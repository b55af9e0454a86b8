// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device heap's speed and waste; bench/heap/run.py makes the tables.
//   heap pairs SIZE N       pairs of malloc and free per second of all threads together, N of each after one to warm up
//   heap mixed SIZE N       the same with sizes of 16 to SIZE bytes, a power of two, after one of each class
//   heap host SIZE N        pairs with one request to the host per call
//   heap hold SIZE N        each thread keeps N objects: bytes that the heap took from the host for them per byte asked for
#include "rpc/protocol/client.h"
#include "sizes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *host_malloc(size_t size) {
  // MALLOC's answers lie 2 MiB apart, which no host has memory for; gpuexec's own request does not waste it.
  rpc_port port = rpc_open(rpc_has_feature(RPC_FEATURE_POSIX) ? RPC_ALLOCATE : RPC_MALLOC);
  rpc_packet *packet = rpc_send_begin(&port);
  packet->words[0] = size;
  packet->words[1] = 16;
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
static unsigned long first = ~0ul, last, asked, taken;

// A clock of the device's own: CLOCK_MONOTONIC asks nobody.
static unsigned long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ul + time.tv_nsec;
}

static int pair(size_t size, int by_host) {
  char *volatile block = by_host ? host_malloc(size) : malloc(size);
  if (!block)
    return 1;
  block[size - 1] = 1;
  by_host ? host_free(block) : free(block);
  return 0;
}

// The heap takes 2 MiB at a time, aligned: each that an object lies in is counted once.
enum { REGION = 2 << 20, REGIONS = 1 << 20 };
static unsigned char seen[REGIONS];

static int hold(size_t size, int count) {
  for (int i = 0; i < count; ++i) {
    char *block = malloc(size);
    if (!block)
      return 1;
    block[size - 1] = 1;
    __atomic_fetch_add(&asked, size, __ATOMIC_RELAXED);
    for (size_t region = (size_t)block / REGION; region <= ((size_t)block + size - 1) / REGION; ++region)
      if (!__atomic_exchange_n(&seen[region % REGIONS], 1, __ATOMIC_RELAXED))
        __atomic_fetch_add(&taken, REGION, __ATOMIC_RELAXED);
  }
  return 0;
}

int main(int argc, char **argv) {
  const size_t size = strtoul(argv[2], NULL, 10);
  const int count = atoi(argv[3]), by_host = !strcmp(argv[1], "host"), keep = !strcmp(argv[1], "hold"),
            mixed = !strcmp(argv[1], "mixed");
  const unsigned me = __gpu_thread_id_x() + __gpu_num_threads_x() * __gpu_block_id_x();
  int failed = keep ? 0 : pair(size, by_host);
  for (size_t each = 16; mixed && each < size; each += each / 8)
    failed |= pair(each, 0); // a first slab for every class
  __atomic_fetch_min(&first, now(), __ATOMIC_RELAXED);
  if (keep)
    failed |= hold(size, count);
  else
    for (int i = 0; i < count; ++i)
      failed |= pair(mixed ? mixed_size(me, i, size) : size, by_host);
  __atomic_fetch_max(&last, now(), __ATOMIC_RELAXED);
  const unsigned threads = __gpu_num_threads_x() * __gpu_num_blocks_x();
  if (__atomic_add_fetch(&finished, 1, __ATOMIC_ACQ_REL) != threads)
    return failed;
  if (keep)
    printf("%.4f\n", (double)taken / asked);
  else
    printf("%.0f\n", (double)threads * count / ((last - first) * 1e-9));
  return failed;
}
