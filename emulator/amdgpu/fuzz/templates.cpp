//===-- emulator/amdgpu/fuzz/templates.cpp - Instructions to vary ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/fuzz/templates.h"

#include "llvm/MC/MCInst.h"
#include "llvm/Support/Error.h"

#include <cstdlib>

namespace gpuexec::emulator::amdgpu::fuzz {
namespace {

/// The opcode that the words begin with, if the emulator knows it, and their
/// number; else 0.
unsigned known_opcode(Disassembler &disassembler, Words &words) {
  llvm::MCInst inst;
  unsigned size = disassembler.decode(
      {reinterpret_cast<const uint8_t *>(words.word.data()), 8}, 0, inst);
  if (!size || !disassembler.info(inst.getOpcode()).operation)
    return 0;
  words.count = size / 4;
  return inst.getOpcode();
}

// Bits that are 0 in most operands: then tuples begin at even numbers and few
// modifiers are on.
constexpr u32 TAME = 0xfafafcfe;

} // namespace

Templates::Templates(const char *cpu) {
  auto made = Disassembler::create(cpu);
  if (!made)
    std::abort();
  disassembler = std::move(*made);
  std::mt19937 random(1);
  llvm::DenseMap<unsigned, bool> seen;
  auto look_at = [&](u32 first) {
    Words words{{first, u32(random()) & TAME}};
    unsigned opcode = known_opcode(*disassembler, words);
    if (opcode && !seen[opcode]) {
      seen[opcode] = true;
      examples.push_back({opcode, words});
    }
  };
  for (unsigned round = 0; round < 4; ++round) {
    for (u32 upper = 0x8000; upper < 0xe800; ++upper)
      look_at(upper << 16 | (u32(random()) & (round % 2 ? TAME : 0x1f)));
    for (u32 number = 0; number < 0x10000; ++number) {
      // VOP2 and VOPC by bits 30:17; VOP1 by 16:9 too; SOP1 by 15:8. Sources: a
      // register, SDWA, DPP.
      static constexpr u32 SOURCES[] = {0x104, 4, 249, 250};
      look_at((number & 0x3fff) << 17 | SOURCES[number >> 14]);
      if (number < 1024)
        look_at(0x7e000000 | (number & 255) << 9 | SOURCES[number >> 8]);
      if (number < 256)
        look_at(0xbe800000 | number << 8 | 4);
    }
  }
}

Words Templates::any(std::mt19937 &random) {
  const Example &example = examples[random() % examples.size()];
  bool may_be_anything = random() % 16 == 0;
  for (unsigned tries = 0; tries < 8; ++tries) {
    Words words = example.words;
    static constexpr u8 INTERESTING[] = {
        0,   1,   2,   4,   6,   8,   10,  12,  14,  16,  18,  20,
        30,  100, 101, 102, 104, 106, 107, 124, 125, 126, 127, 128,
        129, 192, 193, 208, 235, 240, 242, 251, 252, 253, 254, 255};
    for (unsigned k = 0; k < words.count; ++k)
      for (unsigned at = 0; at < 32; at += 8)
        switch (random() % 4) {
        case 0:
          words.word[k] = (words.word[k] & ~(0xffu << at)) |
                          u32(INTERESTING[random() % sizeof(INTERESTING)])
                              << at;
          break;
        case 1:
          words.word[k] ^= (u32(random()) & TAME & 0x1f1f1f1f) & (0xffu << at);
          break;
        default:
          break;
        }
    unsigned count = words.count;
    if (known_opcode(*disassembler, words) == example.opcode)
      return words;
    words.count = count;
    if (may_be_anything)
      return words;
  }
  return example.words;
}

} // namespace gpuexec::emulator::amdgpu::fuzz
