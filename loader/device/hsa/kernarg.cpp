//===-- loader/device/hsa/kernarg.cpp - The argument block of a kernel ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/kernarg.h"
#include <algorithm>
#include <cstring>

namespace gpuexec::hsa {

uint16_t dimensions(const Grid &grid) {
  if (grid.threads[2] > 1 || grid.blocks[2] > 1)
    return 3;
  return grid.threads[1] > 1 || grid.blocks[1] > 1 ? 2 : 1;
}

uint32_t default_stack(uint64_t threads, uint64_t waves, bool emulated) {
  // At least 16 KiB, as LLVM's loader and its offload plugin give. C programs
  // that recurse, or are not optimised, need more.
  constexpr uint64_t BUDGET = 256u << 20, LANES = 64;
  // A program with one thread gets Linux's usual stack, as a native program.
  if (emulated && threads <= 1)
    return 8 << 20;
  uint64_t share = BUDGET / LANES / std::max<uint64_t>(waves, 1);
  uint64_t stack = emulated ? std::clamp<uint64_t>(share, 64 << 10, 1 << 20)
                            : std::clamp<uint64_t>(share, 16 << 10, 64 << 10);
  return uint32_t(stack & ~uint64_t(15));
}

uint64_t largest_stack(bool emulated) {
  // gfx9 counts the scratch of a wave of 64 in 13 bits of 1 KiB.
  return emulated ? 32u << 20 : 131056;
}

/// The value of an implicit argument; those that gpuexec has nothing for
/// (OpenCL printf, hostcall, device queues, offsets) are 0.
static uint64_t value_of(Hidden kind, const Grid &grid,
                         const KernargFacts &facts) {
  switch (kind) {
  case Hidden::block_count_x:
    return grid.blocks[0];
  case Hidden::block_count_y:
    return grid.blocks[1];
  case Hidden::block_count_z:
    return grid.blocks[2];
  case Hidden::group_size_x:
    return grid.threads[0];
  case Hidden::group_size_y:
    return grid.threads[1];
  case Hidden::group_size_z:
    return grid.threads[2];
  case Hidden::grid_dims:
    return dimensions(grid);
  case Hidden::dynamic_lds_size:
    return facts.dynamic_lds_size;
  case Hidden::private_base:
    return facts.private_base;
  case Hidden::shared_base:
    return facts.shared_base;
  case Hidden::queue_ptr:
    return facts.queue_address;
  default: // remainders too: only whole blocks are launched
    return 0;
  }
}

llvm::Expected<std::vector<std::byte>>
fill_kernarg(const Kernel &kernel, const Grid &grid, const KernargFacts &facts,
             llvm::ArrayRef<std::byte> arguments) {
  if (arguments.size() != kernel.arguments_size)
    return failure(Reason::not_runnable,
                   "kernel '{0}' takes {1} bytes of arguments, not {2}",
                   kernel.name, kernel.arguments_size, arguments.size());
  if (kernel.arguments_size > kernel.kernarg_size)
    return failure(Reason::not_runnable,
                   "kernel '{0}': arguments of {1} bytes in a kernarg segment "
                   "of {2}",
                   kernel.name, kernel.arguments_size, kernel.kernarg_size);
  std::vector<std::byte> block(kernel.kernarg_size);
  if (!arguments.empty())
    std::memcpy(block.data(), arguments.data(), arguments.size());
  for (const HiddenArgument &hidden : kernel.hidden) {
    if (hidden.offset > block.size() ||
        hidden.size > block.size() - hidden.offset)
      return failure(Reason::not_runnable,
                     "kernel '{0}': implicit argument '{1}' at {2} lies "
                     "outside of its kernarg segment of {3} bytes",
                     kernel.name, to_string(hidden.kind), hidden.offset,
                     block.size());
    // Little endian on both sides: the low bytes come first.
    uint64_t value = value_of(hidden.kind, grid, facts);
    std::memcpy(block.data() + hidden.offset, &value,
                std::min<size_t>(hidden.size, sizeof(value)));
  }
  return std::move(block);
}

} // namespace gpuexec::hsa
