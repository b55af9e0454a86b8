//===-- libc-shim/device/host_call.h - Calls of the host ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of exchange with the host, each compiled once: a call site costs a
// function call, not a copy of the port's code. Lanes may call diverged and
// with different opcodes; each group of lanes with one opcode opens its own
// port. C means a packet to the host, S one from the host, per lane
// (opcodes.def).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_HOST_CALL_H
#define GPUEXEC_LIBC_HOST_CALL_H

#include "libc-shim/device/wave.h"
#include "rpc/protocol/client.h"
#include <errno.h>

/// The host's answer: the first words of the last packet.
typedef struct {
  uint64_t words[3];
  int error; ///< the host's errno, 0 when it offers none
} host_reply;

/// C {a, b, c} · S {reply}.
host_reply __host_call(rpc_opcode opcode, uint64_t a, uint64_t b, uint64_t c);

/// C {a}. Does not wait: the host sends no answer (FREE, NOOP).
void __host_post(rpc_opcode opcode, uint64_t a);

/// [C {*handle} ·] C bytes(data) [· C bytes(data2)] [· C {a, b}] · S {reply}.
/// A bit of `form` includes each part in brackets.
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

/// For other forms: the functions rpc_* of client.h, each compiled once.
/// Inlined, the copy of a stream alone takes kilobytes on NVIDIA.
rpc_port __port_open(rpc_opcode opcode);
rpc_packet *__port_send_begin(rpc_port *port);
void __port_send_end(rpc_port *port);
const rpc_packet *__port_recv(rpc_port *port);
void __port_send_n(rpc_port *port, const void *data, uint64_t size);
uint64_t __port_recv_n(rpc_port *port, void *buffer, uint64_t capacity);
void __port_close(rpc_port *port);

/// What a packet of the other forms answers: its first word and the errno.
static inline host_reply host_reply_in(const rpc_packet *answer) {
  return (host_reply){{answer->words[0]}, (int)answer->words[RPC_ERRNO_WORD]};
}

/// The result of a POSIX call: sets errno when the host failed.
long __host_result(host_reply reply);

/// The result of a POSIX call that fails.
static inline int fail_with(int error) {
  errno = error;
  return -1;
}

/// Does the loader serve gpuexec's own opcodes? Without them a POSIX call fails
/// with ENOSYS.
#define HOST_HAS_POSIX() rpc_has_feature(RPC_FEATURE_POSIX)

#endif
