//===-- debug-info/confined.h - Work that may crash -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function in a child process that can only compute and send its result:
// it can open no file and start no program, it has no descriptor but the pipe
// to its parent, and its time and memory are limited. For parsers that are not
// safe on hostile input.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_CONFINED_H
#define GPUEXEC_DEBUG_INFO_CONFINED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <functional>
#include <string>
#include <sys/types.h>

namespace gpuexec::debug_info {

struct Limits {
  unsigned seconds = 5; ///< of the child's processor time and of our waiting
  size_t memory = size_t(1) << 30;      ///< bytes, on top of the process's own
  size_t max_answer = size_t(16) << 20; ///< bytes
};

/// Runs `work` in a forked child and returns the string that it returned there.
/// The child sees a copy of all memory. It has one thread: `work` must not take
/// locks that other threads may hold (malloc's are safe). Check the result: an
/// attacker may control the child. Fails, and says how the child ended, when it
/// sent no result. Thread-safe.
llvm::Expected<std::string> run_confined(llvm::function_ref<std::string()> work,
                                         const Limits &limits = {});

/// A confined child that waits for requests, for a process that will not be
/// allowed to fork later. Not thread-safe.
class ConfinedServer {
public:
  /// Makes the answer to one request. Runs in the child.
  using Answer = std::function<std::string(llvm::StringRef request)>;

  static llvm::Expected<ConfinedServer> start(const Answer &answer,
                                              const Limits &limits = {});
  ConfinedServer(ConfinedServer &&other);
  /// Closes the pipe of requests, which ends the child.
  ~ConfinedServer();

  /// Sends a request and waits for the answer. All requests together share the
  /// limit of processor time. An error ends the child, and later calls fail.
  llvm::Expected<std::string> ask(llvm::StringRef request);

private:
  ConfinedServer(pid_t child, int requests, int answers, const Limits &limits)
      : child(child), requests(requests), answers(answers), limits(limits) {}
  void give_up();
  pid_t child;
  int requests, answers; // pipes; -1 after an error
  Limits limits;
};

} // namespace gpuexec::debug_info

#endif
