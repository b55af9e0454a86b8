// Streams: a text longer than a packet, then a different length in every lane, 0 among them (spec 6.3).
// RUN: %gpucc %lanes -O2 -I%source %s -o %t
// RUN: %run --threads 32 --blocks 8 %t
// RUN: %run --threads 128 --blocks 3 %t
#include "rpc/protocol/client.h"
#include "../Inputs/expect.h"
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "9876543210abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
    "qrstuvwxyz01234567890!!";
static unsigned char table[256];

static int echo(const void *data, uint64_t size) {
  rpc_port port = rpc_open(RPC_TEST_STREAM);
  uint64_t received = ~0ull;
  rpc_send_n(&port, data, size);
  void *copy = rpc_recv_n_allocate(&port, &received, malloc);
  rpc_close(&port);
  int good = EXPECT(received == size, "%llu of %llu bytes", (unsigned long long)received, (unsigned long long)size) &&
             EXPECT(copy || !size, "%llu bytes", (unsigned long long)size) &&
             EXPECT(memcmp(copy, data, size) == 0, "%.*s", (int)size, (const char *)copy);
  free(copy);
  return good;
}

int main(void) {
  int good = echo(text, sizeof text - 1);
  uint32_t id = __gpu_thread_id_x() + __gpu_num_threads_x() * __gpu_block_id_x();
  for (int i = 0; i < 256; i++)
    table[i] = (unsigned char)i; /* all threads write the same */
  good &= echo(table + id % 128, id % 128);
  return !good;
}
