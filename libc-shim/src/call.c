//===-- libc-shim/src/call.c - Calls of the host --------------------------===//
// See call.h.
//===----------------------------------------------------------------------===//
#include "call.h"

// Zeroed here, filled in by the loader. Protected, so that it is found; used,
// so that link-time optimisation keeps it as it is.
#define FILLED_IN_BY_LOADER                                                    \
  __attribute__((used, retain, visibility("protected")))
FILLED_IN_BY_LOADER rpc_client22 __llvm_rpc_client;
FILLED_IN_BY_LOADER rpc_extensions __gpuexec_rpc_extensions;
__attribute__((
    visibility("protected"))) uint32_t __gpuexec_rpc_ports[RPC_NOTED_PORTS];
__attribute__((
    visibility("protected"))) uint32_t __gpuexec_rpc_express[RPC_EXPRESS_SLOTS];

#define NOINLINE __attribute__((noinline))

static host_reply take_reply(rpc_port *port) {
  const rpc_packet *packet = rpc_recv(port);
  host_reply reply;
  for (int i = 0; i < 3; ++i)
    reply.words[i] = packet->words[i];
  reply.error = rpc_has_feature(RPC_FEATURE_ERRNO)
                    ? (int)packet->words[RPC_ERRNO_WORD]
                    : 0;
  return reply;
}

NOINLINE host_reply __host_call(rpc_opcode opcode, uint64_t a, uint64_t b,
                                uint64_t c) {
  host_reply reply;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(mask, opcode) {
    rpc_words call = {{a, b, c}, 0};
    rpc_call(opcode, &call, false,
             opcode == RPC_BULK_WRITE_STREAM || opcode == RPC_BULK_READ_STREAM);
    for (int i = 0; i < 3; ++i)
      reply.words[i] = call.words[i];
    reply.error = (int)call.error;
  }
  return reply;
}

NOINLINE void __host_post(rpc_opcode opcode, uint64_t a) {
  rpc_port port = rpc_open(opcode);
  rpc_send_begin(&port)->words[0] = a;
  rpc_send_end(&port);
  rpc_close(&port);
}

NOINLINE host_reply __host_send(rpc_opcode opcode, int form,
                                const host_message *message) {
  host_reply reply;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(mask, opcode) {
    rpc_port port = rpc_open(opcode);
    if (form & HOST_FORM_HANDLE) {
      rpc_packet *packet = rpc_send_begin(&port);
      packet->words[0] = message->handle;
      packet->words[2] = message->handle2;
      rpc_send_end(&port);
    }
    // One loop for both streams, so that their code is there once.
    for (int i = 0; i <= ((form & HOST_FORM_TWO_BYTES) != 0); ++i)
      rpc_send_n(&port, i ? message->data2 : message->data,
                 i ? message->size2 : message->size);
    if (form & HOST_FORM_WORDS) {
      rpc_packet *packet = rpc_send_begin(&port);
      packet->words[0] = message->a;
      packet->words[1] = message->b;
      packet->words[2] = message->c;
      packet->words[3] = message->d;
      rpc_send_end(&port);
    }
    reply = take_reply(&port);
    rpc_close(&port);
  }
  return reply;
}

NOINLINE host_reply __host_receive(rpc_opcode opcode, uint64_t a, uint64_t b,
                                   uint64_t c, void *buffer, uint64_t capacity,
                                   uint64_t *received) {
  host_reply reply;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(mask, opcode) {
    rpc_port port = rpc_open(opcode);
    rpc_packet *packet = rpc_send_begin(&port);
    packet->words[0] = a;
    packet->words[1] = b;
    packet->words[2] = c;
    rpc_send_end(&port);
    uint64_t size = rpc_recv_n(&port, buffer, capacity);
    *received = rpc_min(size, capacity);
    reply = take_reply(&port);
    rpc_close(&port);
  }
  return reply;
}
