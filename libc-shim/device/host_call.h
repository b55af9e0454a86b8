//===-- libc-shim/device/host_call.h - Calls of the host ------------------===//
// The library's few forms of exchange with the host, each compiled once: a
// call site then costs a function call, not a copy of the port's code. Lanes
// may come here diverged and with different opcodes; each group of equal
// opcodes opens a port of its own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_CALL_H
#define GPUEXEC_LIBC_CALL_H

#include "rpc/protocol/client.h"
#include <errno.h>

/// What the host answers: the first words of the last packet.
typedef struct {
  uint64_t words[3];
  int error; ///< the host's errno, 0 when it offers none
} host_reply;

/// C {a, b, c} · S {reply}.
host_reply __host_call(rpc_opcode opcode, uint64_t a, uint64_t b, uint64_t c);

/// C {a}: no answer and no waiting (FREE, NOOP).
void __host_post(rpc_opcode opcode, uint64_t a);

/// [C {*handle} ·] C bytes(data) [· C bytes(data2)] [· C {a, b}] · S {reply}.
/// The parts in brackets are there for the forms that say so.
typedef enum {
  HOST_FORM_BYTES = 0,
  HOST_FORM_HANDLE = 1,    ///< a packet with the handle comes first
  HOST_FORM_TWO_BYTES = 2, ///< a second stream
  HOST_FORM_WORDS = 4,     ///< a packet with two words at the end
} host_form;

typedef struct {
  uint64_t handle, handle2;
  const void *data;
  uint64_t size;
  const void *data2;
  uint64_t size2;
  uint64_t a, b, c, d;
} host_message;

host_reply __host_send(rpc_opcode opcode, int form, const host_message *);

/// C {a, b, c} · S bytes(buffer) · S {reply}. At most `capacity` bytes arrive;
/// their number is *received.
host_reply __host_receive(rpc_opcode opcode, uint64_t a, uint64_t b, uint64_t c,
                          void *buffer, uint64_t capacity, uint64_t *received);

/// For other forms: client.h's functions of the same names, each compiled once.
/// Inlined, the copy of a stream alone is kilobytes on NVIDIA.
rpc_port __port_open(rpc_opcode opcode);
rpc_packet *__port_send_begin(rpc_port *port);
void __port_send_end(rpc_port *port);
const rpc_packet *__port_recv(rpc_port *port);
void __port_send_n(rpc_port *port, const void *data, uint64_t size);
uint64_t __port_recv_n(rpc_port *port, void *buffer, uint64_t capacity);
void __port_close(rpc_port *port);

/// The POSIX habit: sets errno and returns -1 when the host failed.
long __host_result(host_reply reply);

/// Opcodes of gpuexec's own: there, or errno = ENOSYS.
#define HOST_HAS_POSIX() rpc_has_feature(RPC_FEATURE_POSIX)

/// For every group of lanes that hold the same 32-bit `value`, runs what
/// follows once with those lanes active. The loop is uniform: all lanes of
/// `mask` stay in it until the last group is done, so that no compiler may
/// merge the groups again.
#define FOR_EACH_GROUP(mask, value)                                            \
  for (uint64_t group_left = (mask), group_now = 0;                            \
       group_left &&                                                           \
       ((group_now = __call_group((mask), group_left, (value))), 1);           \
       group_left &= ~group_now, __gpu_sync_lane(mask))                        \
    if (group_now >> __gpu_lane_id() & 1)

/// Lanes of `left` whose value equals that of `left`'s first lane.
static inline uint64_t __call_group(uint64_t mask, uint64_t left,
                                    uint64_t value) {
#ifdef __AMDGPU__
  uint32_t lane = __builtin_ctzll(left); // uniform, so a scalar read will do
  uint64_t first = (uint64_t)(uint32_t)__builtin_amdgcn_readlane(
                       (uint32_t)(value >> 32), lane)
                       << 32 |
                   (uint32_t)__builtin_amdgcn_readlane((uint32_t)value, lane);
#else
  uint64_t first = __gpu_shuffle_idx_u64(mask, __builtin_ctzll(left), value,
                                         __gpu_num_lanes());
#endif
  return __gpu_ballot(mask, value == first) & left;
}

#endif
