//===-- libc-shim/device/system_call.h - Calls of system_calls.def --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rpc/protocol/system_calls.def says what each call sends and gets.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_SYSTEM_CALL_H
#define GPUEXEC_LIBC_SYSTEM_CALL_H

#include "libc-shim/device/host_call.h"

/// What a call sends and where its output goes; what is not set is 0 or empty.
typedef struct {
  const void *input;
  uint64_t input_size;
  uint64_t words[5];   ///< a to e
  bool never_restarts; ///< __system_wait(): SA_RESTART does not matter
  void *output;
  uint64_t capacity; ///< of `output`; the rest of the host's bytes is dropped
  uint64_t received; ///< set by __system_call(): bytes in `output`
} system_call;

/// Makes the call. Fails with ENOSYS under a loader that has no such calls.
host_reply __system_call(rpc_system_call number, system_call *call);

/// Makes a call that waits (`...wait` in system_calls.def) until it is done, or
/// fails with EINTR when a handler of a signal has run: a cancellation point.
/// Its words c, d and e are set from `deadline`, of CLOCK_REALTIME; null: none.
/// Returns the result, -1 with errno after an error. `reply`: may be null.
struct timespec;
long __system_wait(rpc_system_call number, system_call *call,
                   const struct timespec *deadline, host_reply *reply);

/// A call of words alone: its result. Sets errno.
long __system_words(rpc_system_call number, uint64_t a, uint64_t b, uint64_t c);

/// A call of a path or name, which is sent without its NUL, and three words:
/// its result. Sets errno.
long __system_name(rpc_system_call number, const char *name, uint64_t a,
                   uint64_t b, uint64_t c);

#endif
