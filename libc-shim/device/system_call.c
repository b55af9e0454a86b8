//===-- libc-shim/device/system_call.c - Calls of system_calls.def --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/system_call.h"
#include "libc-shim/device/interruption.h"
#include <string.h>
#include <time.h>

host_reply __system_call(rpc_system_call number, system_call *call) {
  call->received = 0;
  if (!rpc_has_feature(RPC_FEATURE_SYSTEM_CALLS))
    return (host_reply){{(uint64_t)-1}, ENOSYS};
  rpc_port port = __port_open(RPC_SYSTEM_CALL);
  __port_send_n(&port, call->input, call->input_size);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = number;
  for (int i = 0; i < 5; ++i)
    packet->words[1 + i] = call->words[i];
  __port_send_end(&port);
  const uint64_t size = __port_recv_n(&port, call->output, call->capacity);
  call->received = rpc_min(size, call->capacity);
  const rpc_packet *answer = __port_recv(&port);
  host_reply reply = host_reply_in(answer);
  reply.words[1] = answer->words[1];
  reply.words[2] = answer->words[2];
  __port_close(&port);
  return reply;
}

long __system_wait(rpc_system_call number, system_call *call,
                   const struct timespec *deadline, host_reply *to) {
  enum { ANSWER_IS_LATER = 85 }; // Linux's ERESTART
  const unsigned ends =
      call->never_restarts ? SIGNAL_HANDLED : (unsigned)SIGNAL_STOPS;
  call->words[2] = deadline != NULL;
  if (deadline) {
    call->words[3] = (uint64_t)deadline->tv_sec;
    call->words[4] = (uint64_t)deadline->tv_nsec;
  }
  for (;;) {
    const host_reply reply = __system_call(number, call);
    if (to)
      *to = reply;
    if (reply.error != ANSWER_IS_LATER)
      return __host_result(reply);
    const unsigned found = look_for_interruption();
    act_on_cancel(found);
    if (found & ends)
      return fail_with(EINTR);
  }
}

long __system_words(rpc_system_call number, uint64_t a, uint64_t b,
                    uint64_t c) {
  system_call call = {.words = {a, b, c}};
  return __host_result(__system_call(number, &call));
}

long __system_name(rpc_system_call number, const char *name, uint64_t a,
                   uint64_t b, uint64_t c) {
  system_call call = {
      .input = name, .input_size = strlen(name), .words = {a, b, c}};
  return __host_result(__system_call(number, &call));
}
