//===-- emulator/machine/options.h - What a client may choose ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_MACHINE_OPTIONS_H
#define GPUEXEC_EMULATOR_MACHINE_OPTIONS_H

#include "emulator/machine/code_cache_choice.h"
#include "emulator/machine/host_calls.h"
#include "emulator/machine/lockstep.h"

#include <cstddef>
#include <optional>
#include <string>

namespace gpuexec::emulator {

/// A client's choices. A change affects only objects that are created later.
struct Options {
  bool check_uninitialized = false; ///< --check=uninit
  bool statistics = false;          ///< count what waves execute
  /// Start the process that reads source lines with each image: the client may
  /// not be able to start one later.
  bool prepare_lines = false;
  /// Where compiled code is kept between runs. Not set: the environment decides
  /// (CodeCacheChoice::from_environment).
  std::optional<CodeCacheChoice> code_cache;
  unsigned threads = 0; ///< host threads that run waves; 0: one per processor
  /// All memory that host and device share is taken from here, and stays the
  /// client's; null: from anywhere. See PageAllocator::use_shared.
  void *memory = nullptr;
  size_t memory_size = 0;
  std::optional<Lockstep> lockstep; ///< instead of `threads`
  /// Outlives every scheduler that has been made with it; null: none.
  HostCalls *host_calls = nullptr;

  /// Sets "check", "stats", "lines", "jit-cache" or "threads" to a value that
  /// gpuexec_emulator.h lists. False for an unknown name or value.
  bool set(const std::string &name, const std::string &value);
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_OPTIONS_H
