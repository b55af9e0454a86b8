//===-- libc-shim/device/host_call.c - Calls of the host ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See host_call.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <string.h>

// The alignment, in bytes, at which a whole packet is copied by wide loads.
#ifdef __AMDGPU__
#define COPY_ALIGNMENT 1
#else
#define COPY_ALIGNMENT 8
#endif

// The loader finds these by name and fills them in. Protected keeps the names
// visible; used keeps link-time optimisation from assuming zeros.
#define FILLED_IN_BY_LOADER                                                    \
  __attribute__((used, retain, visibility("protected")))
FILLED_IN_BY_LOADER rpc_client22 __llvm_rpc_client;
FILLED_IN_BY_LOADER rpc_extensions __gpuexec_rpc_extensions;
__attribute__((
    visibility("protected"))) uint32_t __gpuexec_rpc_ports[RPC_NOTED_PORTS];
__attribute__((visibility("protected")))
uint32_t __gpuexec_rpc_fast_slots[RPC_FAST_SLOTS];

#define NOINLINE __attribute__((noinline))

NOINLINE rpc_port __port_open(rpc_opcode opcode) { return rpc_open(opcode); }

NOINLINE rpc_packet *__port_send_begin(rpc_port *port) {
  return rpc_send_begin(port);
}

NOINLINE void __port_send_end(rpc_port *port) { rpc_send_end(port); }

NOINLINE const rpc_packet *__port_recv(rpc_port *port) {
  return rpc_recv(port);
}

NOINLINE void __port_close(rpc_port *port) { rpc_close(port); }

/// Copies the bytes of a packet. Issues all loads before the first store when
/// the addresses allow it.
static void copy(void *to, const void *from, uint64_t size) {
#ifdef __AMDGPU__
  const bool is_aligned = true; // wide loads work at any address
#else
  const bool is_aligned = !(((uintptr_t)to | (uintptr_t)from) % 8);
#endif
  if (size == RPC_PACKET_BYTES && is_aligned)
    __builtin_memcpy(__builtin_assume_aligned(to, COPY_ALIGNMENT),
                     __builtin_assume_aligned(from, COPY_ALIGNMENT),
                     RPC_PACKET_BYTES);
  else
    memcpy(to, from, size);
}

NOINLINE void __port_send_n(rpc_port *port, const void *data, uint64_t size) {
  uint64_t head = 8; // bytes of the first packet that hold the size
  uint64_t at = 0;
  do {
    rpc_packet *packet = __port_send_begin(port);
    if (head)
      packet->words[0] = size;
    if (at < size)
      copy(packet->bytes + head, (const char *)data + at,
           rpc_min(size - at, RPC_PACKET_BYTES - head));
    __port_send_end(port);
    at += RPC_PACKET_BYTES - head;
    head = 0;
  } while (__gpu_ballot(port->mask, at < size));
}

NOINLINE uint64_t __port_recv_n(rpc_port *port, void *buffer,
                                uint64_t capacity) {
  uint64_t head = 8, at = 0, size = 0;
  do {
    const rpc_packet *packet = __port_recv(port);
    if (head)
      size = packet->words[0];
    uint64_t keep = rpc_min(size, capacity);
    if (at < keep)
      copy((char *)buffer + at, packet->bytes + head,
           rpc_min(keep - at, RPC_PACKET_BYTES - head));
    at += RPC_PACKET_BYTES - head;
    head = 0;
  } while (__gpu_ballot(port->mask, at < size));
  return size;
}

static host_reply take_reply(rpc_port *port) {
  const rpc_packet *packet = __port_recv(port);
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
  FOR_EACH_GROUP(group, mask, opcode) {
    rpc_words call = {{a, b, c}, 0};
    rpc_call(opcode, &call,
             opcode == RPC_BULK_WRITE_STREAM  ? RPC_CALL_READS | RPC_CALL_ONE_OUT
             : opcode == RPC_BULK_READ_STREAM ? RPC_CALL_READS | RPC_CALL_WRITES
                                              : 0);
    for (int i = 0; i < 3; ++i)
      reply.words[i] = call.words[i];
    reply.error = (int)call.error;
  }
  return reply;
}

NOINLINE void __host_post(rpc_opcode opcode, uint64_t a) {
  rpc_port port = __port_open(opcode);
  __port_send_begin(&port)->words[0] = a;
  __port_send_end(&port);
  __port_close(&port);
}

NOINLINE host_reply __host_send(rpc_opcode opcode, int form,
                                const host_message *message) {
  host_reply reply;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(group, mask, opcode) {
    rpc_port port = __port_open(opcode);
    if (form & HOST_FORM_HANDLE) {
      rpc_packet *packet = __port_send_begin(&port);
      packet->words[0] = message->handle;
      packet->words[2] = message->handle2;
      __port_send_end(&port);
    }
    // One loop for both streams, so that their code is inlined once.
    for (int i = 0; i <= ((form & HOST_FORM_TWO_BYTES) != 0); ++i)
      __port_send_n(&port, i ? message->data2 : message->data,
                    i ? message->size2 : message->size);
    if (form & HOST_FORM_WORDS) {
      rpc_packet *packet = __port_send_begin(&port);
      packet->words[0] = message->a;
      packet->words[1] = message->b;
      packet->words[2] = message->c;
      packet->words[3] = message->d;
      __port_send_end(&port);
    }
    reply = take_reply(&port);
    __port_close(&port);
  }
  return reply;
}

NOINLINE host_reply __host_receive(rpc_opcode opcode, uint64_t a, uint64_t b,
                                   uint64_t c, void *buffer, uint64_t capacity,
                                   uint64_t *received) {
  host_reply reply;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(group, mask, opcode) {
    rpc_port port = __port_open(opcode);
    rpc_packet *packet = __port_send_begin(&port);
    packet->words[0] = a;
    packet->words[1] = b;
    packet->words[2] = c;
    __port_send_end(&port);
    uint64_t size = __port_recv_n(&port, buffer, capacity);
    *received = rpc_min(size, capacity);
    reply = take_reply(&port);
    __port_close(&port);
  }
  return reply;
}
