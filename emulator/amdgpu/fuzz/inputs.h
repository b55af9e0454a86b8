//===-- emulator/amdgpu/fuzz/inputs.h - Kernels made at random --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_FUZZ_INPUTS_H
#define GPUEXEC_EMULATOR_AMDGPU_FUZZ_INPUTS_H

#include "emulator/amdgpu/decode/state.h"

#include <random>
#include <vector>

namespace gpuexec::emulator::amdgpu::fuzz {

/// A header and so many instructions.
std::vector<u8> some_input(std::mt19937 &random, unsigned instructions);

/// Changes `bytes` in one to three places, which leaves at most `max` of them.
void mutate(std::vector<u8> &bytes, size_t max, std::mt19937 &random);

} // namespace gpuexec::emulator::amdgpu::fuzz

#endif // GPUEXEC_EMULATOR_AMDGPU_FUZZ_INPUTS_H
