//===-- emulator/amdgpu/fuzz/templates.h - Instructions to vary -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of an example of every opcode that the emulator knows, and variations
// of its operands. A mutator that changed bits at random would seldom meet most
// of them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_FUZZ_TEMPLATES_H
#define GPUEXEC_EMULATOR_AMDGPU_FUZZ_TEMPLATES_H

#include "emulator/amdgpu/decode/disassembler.h"

#include <array>
#include <random>
#include <vector>

namespace gpuexec::emulator::amdgpu::fuzz {

struct Words {
  std::array<u32, 2> word = {};
  unsigned count = 1;
};

class Templates {
public:
  /// Finds examples by trying words of all encodings.
  explicit Templates(const char *cpu);
  /// An instruction with other operands: usually valid, sometimes any words.
  Words any(std::mt19937 &random);
  size_t size() const { return examples.size(); }

private:
  std::unique_ptr<Disassembler> disassembler;
  struct Example {
    unsigned opcode;
    Words words;
  };
  std::vector<Example> examples;
};

} // namespace gpuexec::emulator::amdgpu::fuzz

#endif // GPUEXEC_EMULATOR_AMDGPU_FUZZ_TEMPLATES_H
