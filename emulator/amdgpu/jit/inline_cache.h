//===-- emulator/amdgpu/jit/inline_cache.h - Memory looked up before ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each memory instruction of a region remembers in State::global_caches (that
// of baseline code: inline_caches) the allocation that it met last: the next
// access costs two loads and a compare. Only accesses of the same size and
// direction share a cache, so one check covers all: address - begin < length.
// Writable regions that follow each other without a gap, as a heap's do, are
// one entry: an access may go from one of them into the next
// (AddressSpace::may_access).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_INLINE_CACHE_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_INLINE_CACHE_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/state.h"

namespace gpuexec::emulator::amdgpu::jit {

/// Whether an instruction's accesses are looked up: those to global memory, and
/// those through pointers that may lead there.
constexpr bool has_inline_cache(const MemoryAccess &access) {
  return access.bytes &&
         (access.space == Space::global || access.space == Space::flat ||
          access.space == Space::scalar);
}

/// The class of caches for accesses of this size (1, 2, 4, 8, 12, 16, 32 or 64
/// bytes) and direction.
constexpr unsigned inline_cache_class(unsigned bytes, bool write) {
  unsigned log = unsigned(__builtin_ctz(bytes)); // 12: 2
  unsigned size = bytes == 12 ? 4 : bytes < 12 ? log : log + 1;
  return 2 * size + write;
}
static_assert(inline_cache_class(64, true) < State::CACHE_CLASSES);

// Compiled code calls these on cold paths while its values are in registers:
// they preserve the general-purpose ones.

/// Empties all caches of the wave: memory was freed since they were filled.
[[clang::preserve_most]] void forget_inline_caches(State &state);

/// Finds the allocation that holds `address` and fills inline cache `number`
/// with it. False if the interpreter has to execute the access: it faults, or
/// it is in watched memory or in another segment than global memory.
/// `bytes_write`: the size times 2, plus 1 for a write.
[[clang::preserve_most]] bool fill_inline_cache(State &state, u32 number,
                                                u64 address, u32 bytes_write,
                                                u32 flat);

/// Like fill_inline_cache(), for a cache of State::global_caches, which hold no
/// addresses of the stack or of LDS.
[[clang::preserve_most]] bool fill_global_cache(State &state, u32 number,
                                                u64 address, u32 bytes_write);

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_INLINE_CACHE_H
