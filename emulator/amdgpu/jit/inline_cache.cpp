//===-- emulator/amdgpu/jit/inline_cache.cpp - Memory looked up before ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/inline_cache.h"

#include <algorithm>
#include <iterator>

namespace gpuexec::emulator::amdgpu::jit {

void forget_inline_caches(State &state) {
  for (State::InlineCache &cache : state.inline_caches)
    cache = {};
  for (State::GlobalCache &cache : state.global_caches)
    cache = {};
  for (State::RecentRegion &region : state.recent_regions)
    region = {};
  state.inline_caches_epoch = state.dispatch->memory->epoch();
}

/// The contents of an inline cache for accesses of `bytes` bytes inside
/// [begin, begin + size).
static State::InlineCache cache_of(u64 begin, u64 size, u64 delta, u32 bytes) {
  return {begin, size - bytes + 1, delta};
}

/// Finds the span or memory region that holds [address, address + bytes), and
/// notes it in State::recent_regions. Null if there is none, or if `write` is
/// set and it is read-only. Slow.
[[clang::preserve_most, gnu::noinline]] static const State::RecentRegion *
find_region(State &state, u64 address, u32 bytes, bool write) {
  if (state.inline_caches_epoch != state.dispatch->memory->epoch())
    forget_inline_caches(state);
  auto remember = [&](u64 begin, u64 length, bool writable) {
    // A span that grew replaces its old form.
    State::RecentRegion *place =
        std::find_if(std::begin(state.recent_regions),
                     std::end(state.recent_regions), [&](const auto &known) {
                       return known.length && known.begin == begin;
                     });
    if (place == std::end(state.recent_regions)) {
      place = &state.recent_regions[state.oldest_region];
      state.oldest_region = (state.oldest_region + 1) % State::RECENT_REGIONS;
    }
    *place = {begin, length, writable};
    return place;
  };
  RegionCache &regions = *state.regions;
  regions.refresh();
  for (unsigned k = 0; k < RegionCache::SPANS; ++k) {
    const MemorySpan &span = regions.span(k);
    const u64 offset = address - span.begin;
    if (offset < span.length && span.length - offset >= bytes)
      return remember(span.begin, span.length, true);
  }
  const Region *region = state.dispatch->memory->find(address);
  if (!region || (write && !region->may_write()) ||
      region->end - address < bytes)
    return nullptr;
  if (region->may_write() && regions.find_span(address, address + bytes))
    return remember(regions.span(0).begin, regions.span(0).length, true);
  return remember(region->begin, region->size(), region->may_write());
}

/// The span or memory region that holds [address, address + bytes); null if
/// there is none, or if `write` is set and it is read-only.
static const State::RecentRegion *region_of(State &state, u64 address,
                                            u32 bytes, bool write) {
  if (state.inline_caches_epoch == state.dispatch->memory->epoch())
    for (const State::RecentRegion &region : state.recent_regions) {
      const u64 offset = address - region.begin;
      if (offset < region.length && region.length - offset >= bytes &&
          (!write || region.writable))
        return &region;
    }
  return find_region(state, address, bytes, write);
}

bool fill_global_cache(State &state, u32 number, u64 address, u32 bytes_write) {
  const u32 bytes = bytes_write >> 1;
  const State::RecentRegion *found =
      region_of(state, address, bytes, bytes_write & 1);
  if (found)
    state.global_caches[number] = {found->begin, found->length - bytes + 1};
  return found;
}

bool fill_inline_cache(State &state, u32 number, u64 address, u32 bytes_write,
                       u32 flat) {
  State::InlineCache &cache = state.inline_caches[number];
  const u32 bytes = bytes_write >> 1;
  const bool write = bytes_write & 1;
  if (flat && address - PRIVATE_APERTURE < APERTURE_SIZE) {
    u32 offset = u32(address);
    if (state.word_stride != 4 || u64(offset) + bytes > state.private_size)
      return false;
    cache = cache_of(PRIVATE_APERTURE, state.private_size,
                     reinterpret_cast<u64>(state.scratch) - PRIVATE_APERTURE,
                     bytes);
    return true;
  }
  if (flat && address - SHARED_APERTURE < APERTURE_SIZE) {
    if (u64(u32(address)) + bytes > state.lds_size)
      return false;
    cache = cache_of(SHARED_APERTURE, state.lds_size,
                     reinterpret_cast<u64>(state.lds) - SHARED_APERTURE, bytes);
    return true;
  }
  const State::RecentRegion *found = region_of(state, address, bytes, write);
  if (!found)
    return false;
  cache = cache_of(found->begin, found->length, 0, bytes);
  return true;
}

} // namespace gpuexec::emulator::amdgpu::jit
