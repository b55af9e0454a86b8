//===-- emulator/cuda/host/faults.cpp - See faults.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/host/faults.h"

#include <csetjmp>
#include <csignal>
#include <mutex>

namespace gpuexec::cuda::host {

namespace {

constexpr int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

struct Guarded {
  sigjmp_buf place;
  Fault fault;
};

// The signal handler reads it: it must be there without an allocation.
__attribute__((tls_model(
    "initial-exec"))) thread_local Guarded *volatile guarded = nullptr;

/// What the process did on these signals before.
struct Before {
  struct sigaction actions[NSIG];
};
Before before;

void pass_on(int signal, siginfo_t *info, void *state) {
  const struct sigaction &action = before.actions[signal];
  if (action.sa_flags & SA_SIGINFO)
    return action.sa_sigaction(signal, info, state);
  if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
    return action.sa_handler(signal);
  // The instruction is executed again, without a handler.
  ::sigaction(signal, &action, nullptr);
}

void handle(int signal, siginfo_t *info, void *state) {
  Guarded *here = guarded;
  // What another process sends is no fault of the kernel.
  if (!here || info->si_code <= 0)
    return pass_on(signal, info, state);
  here->fault = {signal, reinterpret_cast<uint64_t>(info->si_addr)};
  siglongjmp(here->place, 1);
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (int signal : SIGNALS) {
      struct sigaction action {};
      action.sa_sigaction = handle;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigemptyset(&action.sa_mask);
      ::sigaction(signal, &action, &before.actions[signal]);
    }
  });
}

} // namespace

Fault run_guarded(void (*work)(void *), void *data) {
  install();
  Guarded here;
  // A thread that blocks these signals would be killed by them.
  sigset_t faults, mask;
  sigemptyset(&faults);
  for (int signal : SIGNALS)
    sigaddset(&faults, signal);
  pthread_sigmask(SIG_UNBLOCK, &faults, &mask);
  if (sigsetjmp(here.place, 0) == 0) {
    guarded = &here;
    work(data);
  }
  guarded = nullptr;
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  return here.fault;
}

} // namespace gpuexec::cuda::host
