//===-- emulator/amdgpu/decode/constants.cpp - Inline constants -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/state.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu {

namespace {
struct InlineConstants {
  u64 value[INLINE_CONSTANTS];
  InlineConstants() {
    unsigned k = 0;
    for (int v = -16; v <= 64; ++v)
      value[k++] = u64(i64(v));
    const float floats[] = {0.5f, -0.5f, 1.0f, -1.0f, 2.0f, -2.0f, 4.0f, -4.0f};
    const u32 halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00,
                          0x4000, 0xc000, 0x4400, 0xc400};
    for (float f : floats)
      value[k++] = ops::bits_of(f);
    value[k++] = 0x3e22f983; // 1 / (2 pi)
    for (float f : floats)
      value[k++] = ops::bits_of(double(f));
    value[k++] = 0x3fc45f306dc9c882;
    for (u32 h : halves)
      value[k++] = h;
    value[k++] = 0x3118;
  }
};
} // namespace

static const InlineConstants &inline_constants() {
  static const InlineConstants constants;
  return constants;
}

Operand constant_operand(u64 value) {
  const InlineConstants &all = inline_constants();
  for (unsigned k = 0; k < INLINE_CONSTANTS; ++k)
    if (all.value[k] == value)
      return Operand(offsetof(State, constants) + k * 8);
  return LITERAL;
}

void fill_constants(State &state) {
  std::memcpy(state.constants, inline_constants().value,
              sizeof(state.constants));
}

} // namespace gpuexec::emulator::amdgpu
