//===-- emulator/machine/wave.cpp - What runs instructions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/wave.h"

#include <time.h>

namespace gpuexec::emulator {

Wave::~Wave() = default;
KernelCode::~KernelCode() = default;
InstructionSet::~InstructionSet() = default;

uint64_t clock_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec)) /
         (1'000'000'000 / CLOCK_HZ);
}

std::byte *Block::stack_of(uint32_t wave_in_block) const {
  return stacks + size_t(wave_in_block) *
                      dispatch->kernel->sizes().stack_lanes *
                      dispatch->stack_size;
}

} // namespace gpuexec::emulator
