//===-- emulator/amdgpu/fuzz/prologue.cpp - First instructions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/fuzz/prologue.h"
#include "emulator/amdgpu/fuzz/memory.h"
#include "emulator/amdgpu/wave/instruction_set.h"

namespace gpuexec::emulator::amdgpu::fuzz {

void Prologue::scalar(unsigned reg, u32 value) {
  ++instructions;
  words.push_back(0xbe8000ff | reg << 16);
  words.push_back(value);
}

void Prologue::pair(unsigned reg, u64 value) {
  scalar(reg, u32(value));
  scalar(reg + 1, u32(value >> 32));
}

void Prologue::vector(unsigned reg, u32 value) {
  ++instructions;
  words.push_back(0x7e0002ff | reg << 17);
  words.push_back(value);
}

void Prologue::per_lane(unsigned reg, u32 shift, u64 base) {
  instructions += 2;
  words.push_back(0x24000080 | shift | reg << 17);    // v_lshlrev_b32 reg, v0
  words.push_back(0x680000ff | reg << 17 | reg << 9); // v_add_u32
  words.push_back(u32(base));
  if (base >> 32)
    vector(reg + 1, u32(base >> 32));
}

const Prologue &prologue() {
  static const Prologue made = [] {
    Prologue p;
    const u64 pairs[] = {DATA,
                         CONSTANT,
                         FREED,
                         CODE,
                         HOST,
                         DATA + DATA_SIZE - 4,
                         PRIVATE_APERTURE,
                         SHARED_APERTURE,
                         PRIVATE_APERTURE + 0xfffffffc,
                         ~u64(0),
                         DATA - 4,
                         MEMORY + (u64(1) << 47)};
    unsigned reg = 0;
    for (u64 value : pairs) {
      p.pair(reg, value);
      reg += 2;
    }
    p.pair(24, DATA | u64(4) << 48);     // a buffer: base and stride,
    p.pair(26, 64 | u64(0x27000) << 32); // records and format
    p.pair(28, u64(0x80000000) << 32);   // one that is swizzled
    p.pair(30, 0x00e00000ffffffff);
    p.scalar(124, 0x00ff0003); // M0
    p.scalar(32, 255);
    p.scalar(33, 0xfffffffc);
    p.per_lane(2, 3, DATA);
    p.per_lane(4, 2, FREED);
    p.per_lane(6, 2, PRIVATE_APERTURE);
    p.per_lane(8, 4, SHARED_APERTURE);
    p.per_lane(10, 2, 0);
    p.per_lane(12, 2, 0xfffffff0);
    p.vector(14, u32(HOST));
    p.vector(15, u32(HOST >> 32));
    p.per_lane(16, 6, CONSTANT);
    p.vector(18, 0x7fc00000);
    p.vector(19, 0x3f800000);
    p.per_lane(20, 0, 0);
    p.vector(22, u32(DATA));
    p.vector(23, u32(DATA >> 32));
    for (unsigned reg = 24; reg < 32; ++reg) // for kernels that are checked
      p.vector(reg, reg);
    return p;
  }();
  return made;
}

} // namespace gpuexec::emulator::amdgpu::fuzz
