//===-- debug-info/confined.h - Work that may crash -------------*- C++ -*-===//
// Runs a piece of work in a child process that can do nothing but compute and
// answer: no files, no descriptors but the answer's, no new programs, bounded
// time and memory. For parsers that are not safe on hostile input.
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
  unsigned seconds = 5;                 ///< of processor time, and of waiting
  size_t memory = size_t(1) << 30;      ///< bytes beyond what the process has
  size_t max_answer = size_t(16) << 20; ///< bytes
};

/// What `work` returned in a child of this process, which sees all memory as it
/// is now and changes none of it. The child is single-threaded: `work` must not
/// take locks that other threads may hold (malloc's are safe). The answer comes
/// from a process that may be in an attacker's hands: check it. The error says
/// how the child ended when it gave no answer. Thread-safe.
llvm::Expected<std::string> run_confined(llvm::function_ref<std::string()> work,
                                         const Limits &limits = {});

/// Such a child, started while that is still allowed, for a process that will
/// not be able to start one. It waits for requests. Not thread-safe.
class ConfinedServer {
public:
  /// Answers one request; called in the child.
  using Answer = std::function<std::string(llvm::StringRef request)>;

  static llvm::Expected<ConfinedServer> start(const Answer &answer,
                                              const Limits &limits = {});
  ConfinedServer(ConfinedServer &&other);
  /// The child sees that nobody asks any more, and ends.
  ~ConfinedServer();

  /// The limit of processor time is for all requests together. After an error
  /// the child is given up.
  llvm::Expected<std::string> ask(llvm::StringRef request);

private:
  ConfinedServer(pid_t child, int requests, int answers, const Limits &limits)
      : child(child), requests(requests), answers(answers), limits(limits) {}
  void give_up();
  pid_t child;
  int requests, answers; // -1: it is given up
  Limits limits;
};

} // namespace gpuexec::debug_info

#endif
