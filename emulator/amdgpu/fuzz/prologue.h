//===-- emulator/amdgpu/fuzz/prologue.h - First instructions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that run before those of the input. They put into registers what
// makes most instructions do something: addresses inside and outside of memory,
// sizes, indices, descriptors of buffers.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_FUZZ_PROLOGUE_H
#define GPUEXEC_EMULATOR_AMDGPU_FUZZ_PROLOGUE_H

#include "emulator/amdgpu/decode/state.h"

#include <vector>

namespace gpuexec::emulator::amdgpu::fuzz {

struct Prologue {
  std::vector<u32> words;
  u64 instructions = 0;

  void scalar(unsigned reg, u32 value);             // s_mov_b32 reg, value
  void pair(unsigned reg, u64 value);               // two of them
  void vector(unsigned reg, u32 value);             // v_mov_b32 reg, value
  void per_lane(unsigned reg, u32 shift, u64 base); // base + (lane << shift)
};

/// The one that all inputs share.
const Prologue &prologue();

} // namespace gpuexec::emulator::amdgpu::fuzz

#endif // GPUEXEC_EMULATOR_AMDGPU_FUZZ_PROLOGUE_H
