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
#include <string>

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

} // namespace gpuexec::debug_info

#endif
