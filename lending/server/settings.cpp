//===-- lending/server/settings.cpp - What the server was told ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/settings.h"
#include <thread>

namespace gpuexec::serve {

/// Each worker of a GPU has a context there, which takes some hundred MiB of
/// its memory.
static constexpr unsigned WORKERS_OF_A_GPU = 8;

unsigned Settings::most_workers(bool emulated) const {
  const unsigned usual = emulated
                             ? std::max(std::thread::hardware_concurrency(), 1u)
                             : WORKERS_OF_A_GPU;
  return workers.value_or(usual);
}

} // namespace gpuexec::serve
