//===-- rpc/server/signals.h - Server threads take no signals ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals belong to the program that embeds the server; and a broken pipe must
// be an error of write(), not the end of the process.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_SIGNALS_H
#define GPUEXEC_RPC_SERVER_SIGNALS_H

#include <signal.h>
#include <time.h>

namespace gpuexec::rpc {

/// For a thread of the server: blocks all signals but those that the thread's
/// own faults raise, and SIGPROF.
inline void block_signals() {
  sigset_t set;
  sigfillset(&set);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF})
    sigdelset(&set, fault);
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

/// For a thread of the embedder's, while it writes: SIGPIPE is swallowed.
class NoPipeSignal {
public:
  NoPipeSignal() {
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
  }
  ~NoPipeSignal() {
    timespec now = {};
    if (!was_pending)
      while (sigtimedwait(&pipe, nullptr, &now) == SIGPIPE)
        ;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  NoPipeSignal(const NoPipeSignal &) = delete;

private:
  sigset_t pipe, before;
  bool was_pending;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_SIGNALS_H
