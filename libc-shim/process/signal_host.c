//===-- libc-shim/process/signal_host.c - Signals from outside ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host passes on signals for which the program has a handler: it counts
// them in a word that the device reads wherever it looks for signals, and is
// asked for their numbers when that has changed. Calls that wait at the host
// end with EINTR then.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/system_call.h"
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/process/signals.h"

/// Faults and the like, and SIGSYS and higher ones: the host would refuse them,
/// so it is not asked.
static const uint64_t NEVER_FROM_OUTSIDE =
    1ull << (SIGILL - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGABRT - 1) |
    1ull << (SIGBUS - 1) | 1ull << (SIGFPE - 1) | 1ull << (SIGKILL - 1) |
    1ull << (SIGSEGV - 1) | 1ull << (SIGPIPE - 1) | 1ull << (SIGSTOP - 1) |
    ~0ull << (SIGSYS - 1);

static uint64_t seen; // the host's count at the last look

static void look(void) {
  const rpc_output *shared =
      (const rpc_output *)RPC_FILLED_IN(__gpuexec_rpc_extensions).output;
  const uint64_t now = __scoped_atomic_load_n(
      &shared->signals, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
  if (now ==
      __scoped_atomic_load_n(&seen, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
    return;
  __scoped_atomic_store_n(&seen, now, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  system_call call = {0};
  for (uint64_t left = __system_call(RPC_CALL_TAKE_SIGNALS, &call).words[0];
       left; left &= left - 1) {
    const siginfo_t info = __own_signal(__builtin_ctzll(left) + 1, SI_USER);
    __send_signal(NULL, &info);
  }
}

void __tell_host_of_action(int number) {
  if (bit_of_signal(number) & NEVER_FROM_OUTSIDE || !HOST_HAS_POSIX() ||
      !RPC_FILLED_IN(__gpuexec_rpc_extensions).output)
    return;
  enum { BY_DEFAULT, IGNORED, HANDLED };
  const sighandler_t handler = __signal_handler(number);
  system_call call = {
      .words = {(uint64_t)number, handler == SIG_DFL   ? BY_DEFAULT
                                  : handler == SIG_IGN ? IGNORED
                                                       : HANDLED}};
  const host_reply reply = __system_call(RPC_CALL_USE_SIGNAL, &call);
  if (!reply.error && call.words[1] == HANDLED)
    __gpuexec_look_at_host = look;
}

void __interrupt_host_calls(void) {
  system_call call = {0};
  if (__gpuexec_created_threads && HOST_HAS_POSIX())
    __system_call(RPC_CALL_INTERRUPT, &call);
}

void __wake_host_calls(uint64_t delay_ns) {
  system_call call = {.words = {delay_ns}};
  if (HOST_HAS_POSIX())
    __system_call(RPC_CALL_WAKE, &call);
}
