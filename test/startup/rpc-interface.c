// Sends and receives in every order, ended by either side: the counter goes back and forth and must be 9 (spec 3.10).
// RUN: %gpucc -O2 -I%source %s -o %t
// RUN: %run %t
// RUN: %gpucc -O0 -I%source %s -o %t
// RUN: %run %t
#include "rpc/protocol/client.h"
#include <assert.h>

static uint64_t count;

static void send(rpc_port *port) {
  rpc_send_begin(port)->words[0] = ++count;
  rpc_send_end(port);
}

static void receive(rpc_port *port) {
  uint64_t got = rpc_recv(port)->words[0];
  assert(got == count + 1);
  count = got;
}

int main(void) {
  for (int round = 0; round < 4; round++) {
    uint64_t end_with_send = round % 2 == 0;
    rpc_port port = rpc_open(RPC_TEST_INTERFACE);
    rpc_send_begin(&port)->words[0] = end_with_send;
    rpc_send_end(&port);
    count = 0;
    send(&port);
    receive(&port);
    send(&port);
    receive(&port);
    send(&port);
    send(&port);
    receive(&port);
    receive(&port);
    if (end_with_send)
      send(&port);
    else
      receive(&port);
    rpc_close(&port);
    assert(count == 9);
  }
  return 0;
}
