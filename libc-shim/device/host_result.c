//===-- libc-shim/device/host_result.c - The host's errno becomes ours ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of its own: a program without POSIX calls links no errno.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/closed_pipe.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/interruption.h"

void (*__gpuexec_closed_pipe)(void);

long __host_result(host_reply reply) {
  if (reply.error)
    note_host_error(reply.error);
  act_on_cancel(look_for_interruption());
  return (long)reply.words[0];
}

bool __host_call_restarts(host_reply reply) {
  if (reply.error != EINTR)
    return false;
  const unsigned found = look_for_interruption();
  act_on_cancel(found);
  return !(found & SIGNAL_STOPS);
}
