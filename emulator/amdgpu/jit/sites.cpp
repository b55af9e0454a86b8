//===-- emulator/amdgpu/jit/sites.cpp - Memory that was looked up ---------===//
#include "emulator/amdgpu/jit/sites.h"

namespace gpuexec::emulator::amdgpu::jit {

void forget_sites(State &state) {
  for (auto &site : state.sites)
    site = {};
  state.sites_epoch = state.dispatch->memory->epoch();
}

bool fill_site(State &state, u32 index, u64 address, u32 bytes_write, u32 flat,
               u32 lane) {
  State::Site &site = state.sites[index];
  u32 bytes = bytes_write >> 1;
  bool write = bytes_write & 1;
  auto remember = [&](u64 begin, u64 size, u64 host) {
    site = {begin, size - bytes + 1, host - begin};
    return true;
  };
  if (state.sites_epoch != state.dispatch->memory->epoch())
    forget_sites(state);
  if (flat && address - PRIVATE_APERTURE < APERTURE_SIZE) {
    u32 offset = u32(address);
    if (state.word_stride != 4 || u64(offset) + bytes > state.private_size)
      return false;
    return remember(PRIVATE_APERTURE, state.private_size,
                    reinterpret_cast<u64>(state.scratch) +
                        u64(lane) * state.lane_stride);
  }
  if (flat && address - SHARED_APERTURE < APERTURE_SIZE) {
    if (u64(u32(address)) + bytes > state.lds_size)
      return false;
    return remember(SHARED_APERTURE, state.lds_size,
                    reinterpret_cast<u64>(state.lds));
  }
  const Region *region = state.dispatch->memory->find(address);
  if (!region || (write && !region->writable) || region->end - address < bytes)
    return false;
  return remember(region->begin, region->size(), region->begin);
}

} // namespace gpuexec::emulator::amdgpu::jit
