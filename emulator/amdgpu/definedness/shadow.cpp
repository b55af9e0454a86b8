//===-- emulator/amdgpu/definedness/shadow.cpp - What is undefined --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/definedness/shadow.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

void Shadow::start(u64 lanes, u32 private_size, char *group_memory,
                   u32 group_size) {
  all_lanes = lanes;
  scc = false;
  scc_origin = 0;
  allocations.clear();
  std::memset(rows, 0, sizeof(rows));
  std::memset(maybe_undefined, 0, sizeof(maybe_undefined));
  std::memset(row_origin, 0, sizeof(row_origin));
  std::fill_n(row_range, ROWS, Range());
  std::memset(scalars, 0, sizeof(scalars));
  std::memset(scalar_from, 0, sizeof(scalar_from));
  lds = reinterpret_cast<u8 *>(group_memory);
  lds_size = group_size;
  u32 width = lanes ? 64 - u32(__builtin_clzll(lanes)) : 1;
  u64 size = (u64(private_size) + 8) * width;
  if (width != stack_lanes || size > stack_size) {
    stack_bytes.reset(static_cast<u8 *>(calloc(size, 1)));
    stack_size = stack_bytes ? size : 0;
  } else
    drop_stack(0);
  stack_lanes = width;
  top = 0;
}

u64 Shadow::undefined_lanes(unsigned r) const {
  if (!maybe_undefined[r])
    return 0;
  u64 lanes = 0;
  for (unsigned l = 0; l < LANES; ++l)
    lanes |= u64(rows[r][l] != 0) << l;
  return lanes;
}

void Shadow::define(unsigned r, u64 lanes, u32 mask) {
  if (!maybe_undefined[r])
    return;
  if (mask == ~0u && (lanes & all_lanes) == all_lanes) {
    std::memset(rows[r], 0, sizeof(rows[r]));
    maybe_undefined[r] = false;
    return;
  }
  u32 left = 0;
  for (unsigned l = 0; l < LANES; ++l) {
    if (lanes >> l & 1)
      rows[r][l] &= ~mask;
    left |= rows[r][l];
  }
  maybe_undefined[r] = left != 0;
}

void Shadow::undefine(unsigned r) {
  for (unsigned l = 0; l < LANES; ++l)
    rows[r][l] = all_lanes >> l & 1 ? ~0u : 0;
  maybe_undefined[r] = all_lanes != 0;
  row_origin[r] = 0;
  row_range[r] = {};
}

int Shadow::scalar_index(Operand o) const {
  if (o == LITERAL)
    return -1;
  unsigned at = unsigned(o);
  if (at - offsetof(State, s) < SCALARS * 4)
    return int((at - offsetof(State, s)) / 4);
  if (at - offsetof(State, slots) < SLOTS * 8)
    return int(SCALARS + (at - offsetof(State, slots)) / 4);
  return -1;
}

u64 Shadow::scalar(Operand o, unsigned bytes) const {
  int k = scalar_index(o);
  if (k < 0)
    return 0;
  return bytes == 8 ? scalars[k] | u64(scalars[k + 1]) << 32 : scalars[k];
}

void Shadow::set_scalar(Operand o, unsigned bytes, u64 undef, Origin from) {
  int k = scalar_index(o);
  if (k < 0)
    return;
  scalars[k] = u32(undef);
  scalar_from[k] = from;
  if (bytes == 8) {
    scalars[k + 1] = u32(undef >> 32);
    scalar_from[k + 1] = from;
  }
}

Origin Shadow::scalar_origin(Operand o) const {
  int k = scalar_index(o);
  return k < 0 ? 0 : scalars[k] ? scalar_from[k] : scalar_from[k + 1];
}

void Shadow::drop_stack(u32 offset) {
  if (offset >= top || !stack_bytes)
    return;
  u64 begin = u64(offset & ~3u) * stack_lanes,
      end = u64((top + 3) & ~3u) * stack_lanes;
  std::memset(stack_bytes.get() + begin, 0, end - begin);
  top = offset;
}

} // namespace gpuexec::emulator::amdgpu::definedness
