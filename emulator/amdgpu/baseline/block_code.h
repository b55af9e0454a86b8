//===-- emulator/amdgpu/baseline/block_code.h - Stencils in a row ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code under construction: stencils with their holes filled, the pool
// of their values, and jumps to places that are not there yet.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_BASELINE_BLOCK_CODE_H
#define GPUEXEC_EMULATOR_AMDGPU_BASELINE_BLOCK_CODE_H

#include "emulator/amdgpu/baseline/stencil.h"

#include <map>
#include <optional>
#include <vector>

namespace gpuexec::emulator::amdgpu::baseline {

/// A place in the code, known or not yet.
using Label = unsigned;

/// What one stencil's holes are filled with.
struct Filling {
  i64 numbers[unsigned(Hole::next)] = {}; // by Hole
  Label places[unsigned(Hole::imm) - unsigned(Hole::next)] = {};
  u64 values[unsigned(Hole::constant) - unsigned(Hole::imm)] = {};
  i64 &number(Hole hole) { return numbers[unsigned(hole)]; }
  Label &place(Hole hole) {
    return places[unsigned(hole) - unsigned(Hole::next)];
  }
  u64 &value(Hole hole) { return values[unsigned(hole) - unsigned(Hole::imm)]; }
};

/// The stencil for `key`, or null.
const Stencil *find_stencil(const Key &key);

class BlockCode {
public:
  /// The code will be at `address`; the constants of stencils are at
  /// `constants`.
  BlockCode(u64 address, u64 constants)
      : address(address), constants(constants) {}

  Label new_label();
  void place(Label label); // here
  bool is_placed(Label label) const { return labels[label].has_value(); }

  /// True if the numbers fit into the stencil's holes.
  static bool fits(const Stencil &stencil, const Filling &filling);
  /// Appends a stencil. `filling.place(Hole::next)` is set to what follows it.
  /// Its cold part comes with finish().
  void add(const Stencil &stencil, Filling filling);
  void jump(Label to);

  /// Appends the cold parts and the pool, and connects all jumps.
  void finish();
  const std::vector<u8> &bytes() const { return code; }
  u64 address_of(Label label) const { return address + *labels[label]; }

private:
  struct Cold {
    Piece piece;
    Filling filling;
    Label label;
  };
  struct Jump {
    u32 at;
    Label to;
    i32 addend;
  };
  struct Reference {
    u32 at;
    u32 index; // in the pool
    i32 addend;
  };
  void append(const Piece &piece, const Filling &filling);
  void put32(u32 at, i64 value);
  u32 pooled(u64 value);

  u64 address, constants;
  std::vector<u8> code;
  std::vector<std::optional<u32>> labels;
  std::vector<Jump> jumps;
  std::vector<Reference> references;
  std::vector<u64> pool;
  std::map<u64, u32> pool_index;
  std::vector<Cold> colds;
};

/// What stencils bring besides code, for Compiler: the bytes of constants.
struct Constants {
  const u8 *bytes;
  size_t size;
};
Constants stencil_constants();

} // namespace gpuexec::emulator::amdgpu::baseline

#endif // GPUEXEC_EMULATOR_AMDGPU_BASELINE_BLOCK_CODE_H
