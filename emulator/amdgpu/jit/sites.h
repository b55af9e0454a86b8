//===-- emulator/amdgpu/jit/sites.h - Memory that was looked up -*- C++ -*-===//
// Each memory instruction of a region remembers in State::sites the allocation
// that it met last, so that the next access costs two loads and a compare.
// Sites are shared only between accesses of the same size and direction, so
// that one check covers all: address - begin < length.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_SITES_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_SITES_H

#include "emulator/amdgpu/state.h"

namespace gpuexec::emulator::amdgpu::jit {

/// The class of sites for accesses of this size (1, 2, 4, 8, 12, 16, 32 or 64
/// bytes) and direction.
constexpr unsigned site_class(unsigned bytes, bool write) {
  unsigned log = unsigned(__builtin_ctz(bytes)); // 12: 2
  unsigned size = bytes == 12 ? 4 : bytes < 12 ? log : log + 1;
  return 2 * size + write;
}
static_assert(site_class(64, true) < State::SITE_CLASSES);

/// After memory was freed: nothing that was looked up is good any more.
void forget_sites(State &state);

/// Looks `address` up and fills the site. False when the interpreter must have
/// a look: a fault, memory that is being watched, an unusual segment.
/// `bytes_write`: the size times 2, plus 1 for a write.
bool fill_site(State &state, u32 site, u64 address, u32 bytes_write, u32 flat,
               u32 lane);

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_SITES_H
