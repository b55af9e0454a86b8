//===-- emulator/amdgpu/jit/inline_cache.cpp - Memory looked up before ----===//
#include "emulator/amdgpu/jit/inline_cache.h"

namespace gpuexec::emulator::amdgpu::jit {

void forget_inline_caches(State &state) {
  for (State::InlineCache &cache : state.inline_caches)
    cache = {};
  state.inline_caches_epoch = state.dispatch->memory->epoch();
}

bool fill_inline_cache(State &state, u32 number, u64 address, u32 bytes_write,
                       u32 flat, u32 lane) {
  State::InlineCache &cache = state.inline_caches[number];
  u32 bytes = bytes_write >> 1;
  bool write = bytes_write & 1;
  auto remember = [&](u64 begin, u64 size, u64 host) {
    cache = {begin, size - bytes + 1, host - begin};
    return true;
  };
  if (state.inline_caches_epoch != state.dispatch->memory->epoch())
    forget_inline_caches(state);
  if (flat && address - PRIVATE_APERTURE < APERTURE_SIZE) {
    u32 offset = u32(address);
    if (state.word_stride != 4 || lane != 0 ||
        u64(offset) + bytes > state.private_size)
      return false;
    return remember(PRIVATE_APERTURE, state.private_size,
                    reinterpret_cast<u64>(state.scratch));
  }
  if (flat && address - SHARED_APERTURE < APERTURE_SIZE) {
    if (u64(u32(address)) + bytes > state.lds_size)
      return false;
    return remember(SHARED_APERTURE, state.lds_size,
                    reinterpret_cast<u64>(state.lds));
  }
  RegionCache &regions = *state.regions;
  regions.refresh();
  for (unsigned k = 0; k < RegionCache::SPANS; ++k) {
    const MemorySpan &span = regions.span(k);
    const u64 offset = address - span.begin;
    if (offset < span.length && span.length - offset >= bytes)
      return remember(span.begin, span.length, span.begin);
  }
  const Region *region = state.dispatch->memory->find(address);
  if (!region || (write && !region->may_write()) ||
      region->end - address < bytes)
    return false;
  if (region->may_write() && regions.find_span(address, address + bytes)) {
    const MemorySpan &span = regions.span(0);
    return remember(span.begin, span.length, span.begin);
  }
  return remember(region->begin, region->size(), region->begin);
}

} // namespace gpuexec::emulator::amdgpu::jit
