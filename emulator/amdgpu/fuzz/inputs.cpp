//===-- emulator/amdgpu/fuzz/inputs.cpp - Kernels made at random ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/fuzz/inputs.h"
#include "emulator/amdgpu/fuzz/launcher.h"
#include "emulator/amdgpu/fuzz/templates.h"

#include <algorithm>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

namespace gpuexec::emulator::amdgpu::fuzz {
namespace {

Templates &templates() {
  static Templates made("gfx942");
  return made;
}

void append(std::vector<u8> &bytes, const Words &words) {
  for (unsigned k = 0; k < words.count; ++k)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(u8(words.word[k] >> shift));
}

/// Instructions that make the others meet: loops, masks, indices, barriers.
Words glue(std::mt19937 &random) {
  auto below = [&](u32 n) { return u32(random()) % n; };
  u32 back = 0xfff0 + below(16), forth = below(8), r = below(34),
      mode = below(16), setting = below(0x10000) & 0xf83f;
  const u32 choices[] = {
      0xbf820000 | forth,           // s_branch
      0xbf840000 | back,            // s_cbranch_scc0
      0xbf850000 | back,            // s_cbranch_scc1
      0xbf860000 | forth,           // s_cbranch_vccz
      0xbf880000 | forth,           // s_cbranch_execz
      0xbf890000 | back,            // s_cbranch_execnz
      0xbf8a0000,                   // s_barrier
      0xbe80017e | (r & ~1u) << 16, // s_mov_b64 s[r], exec
      0xbefe0100 | (r & ~1u),       // s_mov_b64 exec, s[r]
      0xbefe01c1,                   // s_mov_b64 exec, -1
      0xbefe0181,                   // s_mov_b64 exec, 1
      0xbefe0180,                   // s_mov_b64 exec, 0
      0xbf110000 | mode << 8 | r,   // s_set_gpr_idx_on s[r]
      0xbf9c0000,                   // s_set_gpr_idx_off
      0xbefc0000 | r,               // s_mov_b32 m0, s[r]
      0xbe801d00 | (r & ~1u),       // s_setpc_b64
      0xbea01e00 | (r & ~1u),       // s_swappc_b64 s[32:33]
      0xbea01c00,                   // s_getpc_b64 s[32:33]
      0xba000000 | setting,         // s_setreg_imm32_b32
  };
  return {{choices[random() % std::size(choices)], u32(random())},
          random() % 8 ? 1u : 2u};
}

/// A memory instruction (DS, FLAT, GLOBAL, SCRATCH) whose address comes from
/// vector registers that the prologue sets.
Words access(std::mt19937 &random) {
  for (;;) {
    Words words = templates().any(random);
    if (words.count != 2 || words.word[0] >> 27 != 0x1b)
      continue;
    static constexpr u8 ADDRESSES[] = {2, 4, 6, 8, 10, 12, 14, 16, 20, 22};
    words.word[0] &= 0xffffff0f; // a small offset
    words.word[1] =
        (words.word[1] & 0x1f1f1f00) | ADDRESSES[random() % sizeof(ADDRESSES)];
    if (words.word[0] >> 26 & 1 && random() % 2)
      words.word[1] |= 0x7f0000; // no scalar base
    return words;
  }
}

Words instruction(std::mt19937 &random) {
  switch (random() % 6) {
  case 0:
    return glue(random);
  case 1:
    return access(random);
  default:
    return templates().any(random);
  }
}

} // namespace

std::vector<u8> some_input(std::mt19937 &random, unsigned instructions) {
  std::vector<u8> bytes;
  for (size_t k = 0; k < HEADER; ++k)
    bytes.push_back(u8(random()));
  for (unsigned k = 0; k < instructions; ++k)
    append(bytes, instruction(random));
  return bytes;
}

void mutate(std::vector<u8> &bytes, size_t max, std::mt19937 &random) {
  if (bytes.size() < HEADER + 4)
    bytes = some_input(random, 8);
  unsigned changes = 1 + random() % 3;
  for (unsigned n = 0; n < changes; ++n) {
    size_t words = (bytes.size() - HEADER) / 4;
    auto place =
        bytes.begin() + long(HEADER + 4 * (words ? random() % words : 0));
    std::vector<u8> fresh;
    append(fresh, instruction(random));
    switch (random() % 8) {
    case 0: // how it is launched
      bytes[random() % HEADER] = u8(random());
      break;
    case 1: // one thing less
      if (words > 2)
        bytes.erase(place, place + 4);
      break;
    case 2: { // any bits
      const size_t size = bytes.size();
      bytes.resize(std::max(bytes.size(), max));
      bytes.resize(LLVMFuzzerMutate(bytes.data(), size, max));
      if (bytes.size() < HEADER + 4)
        bytes = some_input(random, 8);
      break;
    }
    case 3: // another operand or so
      place[random() % 4] = u8(random());
      break;
    case 4:
    case 5: // instead of one
      if (size_t(bytes.end() - place) >= fresh.size())
        std::copy(fresh.begin(), fresh.end(), place);
      break;
    default: // one more
      bytes.insert(place, fresh.begin(), fresh.end());
    }
    bytes.resize(std::min(bytes.size(), max));
  }
}

} // namespace gpuexec::emulator::amdgpu::fuzz
