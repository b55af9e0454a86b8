//===-- libc-shim/device/host_call.h - Calls of the host ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of exchange with the host, each compiled once: a call site costs a
// function call, not a copy of the port's code. Lanes may call diverged and
// with different opcodes; each group of lanes with one opcode opens its own
// port. In the comments below C is a packet that each lane (client) sends to
// the host, S a packet that the host (server) sends to each lane, and bytes()
// a stream: a size and data of any length, in packets (opcodes.def).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_HOST_CALL_H
#define GPUEXEC_LIBC_HOST_CALL_H

#include "libc-shim/device/wave.h"
#include "rpc/protocol/client.h"
#include <errno.h>

/// The host's answer: the first words of the last packet that it sends.
typedef struct {
  uint64_t words[3];
  int error; ///< the host's errno, 0 when it offers none
} host_reply;

/// C {a, b, c} · S {reply}.
host_reply __host_call(rpc_opcode opcode, uint64_t a, uint64_t b, uint64_t c);

/// C {a}. Does not wait: the host sends no answer (FREE, NOOP).
void __host_post(rpc_opcode opcode, uint64_t a);

/// [C {handle, 0, handle2} ·] C bytes(data) [· C bytes(data2)]
/// [· C {a, b, c, d}] · S {reply}.
/// Each part in brackets is sent when its bit of `form` is set.
typedef enum {
  HOST_FORM_BYTES = 0,
  HOST_FORM_HANDLE = 1,    ///< a packet with the handles comes first
  HOST_FORM_TWO_BYTES = 2, ///< data2 follows data as a second stream
  HOST_FORM_WORDS = 4,     ///< a packet with a, b, c and d comes last
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

/// C {a, b, c} · S bytes(buffer) · S {reply}. Stores the first `capacity` bytes
/// of the host's stream in `buffer` and the number stored in *received; drops
/// the rest.
host_reply __host_receive(rpc_opcode opcode, uint64_t a, uint64_t b, uint64_t c,
                          void *buffer, uint64_t capacity, uint64_t *received);

/// Other exchanges are composed of these: the functions rpc_* of client.h, each
/// compiled once. An inlined copy of a stream takes kilobytes on NVIDIA.
/// __port_recv_n() returns the size of the whole stream, of which it has stored
/// the first `capacity` bytes.
rpc_port __port_open(rpc_opcode opcode);
rpc_packet *__port_send_begin(rpc_port *port);
void __port_send_end(rpc_port *port);
const rpc_packet *__port_recv(rpc_port *port);
void __port_send_n(rpc_port *port, const void *data, uint64_t size);
uint64_t __port_recv_n(rpc_port *port, void *buffer, uint64_t capacity);
void __port_close(rpc_port *port);

/// The reply in the last packet of an exchange that the caller composed: its
/// first word and the host's errno.
static inline host_reply host_reply_in(const rpc_packet *answer) {
  return (host_reply){{answer->words[0]}, (int)answer->words[RPC_ERRNO_WORD]};
}

/// The result of a POSIX call: the reply's first word. Sets errno when the host
/// reported an error.
long __host_result(host_reply reply);

/// After a call that may wait at the host, a cancellation point: is the call to
/// be made again? So it is when it has ended with EINTR for the sake of another
/// thread, or of a handler with SA_RESTART.
bool __host_call_restarts(host_reply reply);

/// Sets errno and returns -1, as a POSIX call does that fails.
static inline int fail_with(int error) {
  errno = error;
  return -1;
}

/// Does the loader serve gpuexec's own opcodes? Without them a POSIX call fails
/// with ENOSYS.
#define HOST_HAS_POSIX() rpc_has_feature(RPC_FEATURE_POSIX)

#endif
