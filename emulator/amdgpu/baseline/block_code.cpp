//===-- emulator/amdgpu/baseline/block_code.cpp - Stencils in a row -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/baseline/block_code.h"
#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/interpret/cold_paths.h"
#include "emulator/amdgpu/jit/inline_cache.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace gpuexec::emulator::amdgpu::baseline {

// STENCIL_CODE, STENCIL_CONSTANTS, STENCIL_PATCHES and STENCILS, by key.
#include "emulator/amdgpu/baseline/stencils.inc"

const Stencil *find_stencil(const Key &key) {
  const Stencil *found = std::lower_bound(
      std::begin(STENCILS), std::end(STENCILS), key,
      [](const Stencil &stencil, const Key &key) { return stencil.key < key; });
  return found != std::end(STENCILS) && found->key == key ? found : nullptr;
}

Constants stencil_constants() {
  return {STENCIL_CONSTANTS, sizeof(STENCIL_CONSTANTS)};
}

static u64 function_address(Function function) {
  switch (function) {
  case Function::fill:
    return reinterpret_cast<u64>(&jit::fill_inline_cache);
  case Function::forget:
    return reinterpret_cast<u64>(&jit::forget_inline_caches);
  case Function::find:
    return reinterpret_cast<u64>(&find_code);
  }
  __builtin_unreachable();
}

Label BlockCode::new_label() {
  labels.push_back(std::nullopt);
  return Label(labels.size() - 1);
}
void BlockCode::place(Label label) { labels[label] = u32(code.size()); }

bool BlockCode::fits(const Stencil &stencil, const Filling &filling) {
  for (const Piece &piece : {stencil.hot, stencil.cold})
    for (u32 k = 0; k < piece.count; ++k) {
      const Patch &patch = STENCIL_PATCHES[piece.patches + k];
      if (patch.hole >= Hole::next)
        continue;
      i64 value = filling.numbers[unsigned(patch.hole)] + patch.addend;
      if (value > std::numeric_limits<i32>::max() ||
          value < (patch.zero_extended ? 0 : std::numeric_limits<i32>::min()))
        return false;
    }
  return true;
}

void BlockCode::add(const Stencil &stencil, Filling filling) {
  const Label again = new_label(), behind = new_label(), cold = new_label();
  place(again);
  filling.place(Hole::again) = again;
  filling.place(Hole::next) = behind;
  filling.place(Hole::cold) = cold;
  append(stencil.hot, filling);
  place(behind);
  if (stencil.cold.size)
    colds.push_back({stencil.cold, filling, cold});
}

void BlockCode::jump(Label to) {
  code.push_back(0xe9);
  jumps.push_back({u32(code.size()), to, -4});
  code.resize(code.size() + 4);
}

void BlockCode::append(const Piece &piece, const Filling &filling) {
  const u32 start = u32(code.size());
  code.insert(code.end(), STENCIL_CODE + piece.code,
              STENCIL_CODE + piece.code + piece.size);
  for (u32 k = 0; k < piece.count; ++k) {
    const Patch &patch = STENCIL_PATCHES[piece.patches + k];
    const u32 at = start + patch.at;
    if (patch.hole < Hole::next)
      put32(at, filling.numbers[unsigned(patch.hole)] + patch.addend);
    else if (patch.hole < Hole::imm)
      jumps.push_back(
          {at, filling.places[unsigned(patch.hole) - unsigned(Hole::next)],
           patch.addend});
    else if (patch.hole == Hole::constant)
      put32(at, i64(constants) + patch.addend - i64(address + at));
    else {
      u64 value =
          patch.hole == Hole::function
              ? function_address(Function(patch.function))
              : filling.values[unsigned(patch.hole) - unsigned(Hole::imm)];
      references.push_back({at, pooled(value), patch.addend});
    }
  }
}

u32 BlockCode::pooled(u64 value) {
  auto [it, is_new] = pool_index.insert({value, u32(pool.size())});
  if (is_new)
    pool.push_back(value);
  return it->second;
}

void BlockCode::put32(u32 at, i64 value) {
  const i32 bits = i32(value);
  std::memcpy(&code[at], &bits, 4);
}

void BlockCode::finish() {
  for (size_t k = 0; k < colds.size(); ++k) {
    place(colds[k].label);
    append(colds[k].piece, colds[k].filling);
    // What falls out of a cold part goes on behind the hot one.
    jump(colds[k].filling.place(Hole::next));
  }
  code.resize((code.size() + 15) & ~size_t(15), 0xcc);
  const u32 pool_at = u32(code.size());
  const u8 *words = reinterpret_cast<const u8 *>(pool.data());
  code.insert(code.end(), words, words + pool.size() * sizeof(pool[0]));
  for (const Reference &r : references)
    put32(r.at, i64(pool_at) + r.index * 8 + r.addend - r.at);
  for (const Jump &j : jumps)
    put32(j.at, i64(*labels[j.to]) + j.addend - j.at);
}

} // namespace gpuexec::emulator::amdgpu::baseline
