//===-- emulator/machine/resident_group.cpp - A block that runs -----------===//
#include "emulator/machine/resident_group.h"

#include <algorithm>
#include <sys/mman.h>

namespace gpuexec::emulator {

bool Pages::reset(size_t size) {
  if (bytes)
    munmap(bytes, length);
  bytes = nullptr;
  length = size;
  if (!size)
    return true;
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    length = 0;
    return false;
  }
  bytes = static_cast<std::byte *>(memory);
  return true;
}

Launch::Launch() = default;
Launch::~Launch() = default;

uint32_t waves_per_group(const Launch &launch) {
  const Dispatch &dispatch = launch.dispatch;
  uint32_t threads =
      uint32_t(dispatch.group[0]) * dispatch.group[1] * dispatch.group[2];
  uint32_t wave_size = launch.kernel->sizes().wave_size;
  return (threads + wave_size - 1) / wave_size;
}

static size_t lds_bytes(const Dispatch &dispatch) {
  return (size_t(dispatch.group_segment_size) + 64 + 63) & ~size_t(63);
}

static size_t scratch_bytes(const Launch &launch) {
  size_t per_wave =
      size_t(launch.kernel->sizes().wave_size) * launch.dispatch.private_size;
  return per_wave * waves_per_group(launch) + 64;
}

uint64_t group_bytes(const Launch &launch) {
  return lds_bytes(launch.dispatch) + scratch_bytes(launch) +
         uint64_t(waves_per_group(launch)) * launch.kernel->sizes().wave_bytes;
}

bool ResidentGroup::build(Launch &launch, uint64_t index) {
  const Dispatch &dispatch = launch.dispatch;
  group.dispatch = &dispatch;
  group.id[0] = uint32_t(index % dispatch.groups[0]);
  group.id[1] = uint32_t(index / dispatch.groups[0] % dispatch.groups[1]);
  group.id[2] = uint32_t(index / dispatch.groups[0] / dispatch.groups[1]);
  for (int i = 0; i < 3; ++i)
    group.size[i] = std::min<uint32_t>(
        dispatch.group[i], dispatch.grid[i] - group.id[i] * dispatch.group[i]);
  uint32_t wave_size = launch.kernel->sizes().wave_size;
  group.waves = (group.threads() + wave_size - 1) / wave_size;
  size_t lds = lds_bytes(dispatch), needed = lds + scratch_bytes(launch);
  if (dispatch.check_uninitialized)
    needed += lds;
  if (pages.size() != needed && !pages.reset(needed))
    return false;
  group.lds = pages.data();
  group.lds_size = dispatch.group_segment_size;
  group.scratch = pages.data() + lds;
  if (dispatch.check_uninitialized) {
    group.lds_shadow = pages.data() + needed - lds;
    std::fill_n(group.lds_shadow, lds, std::byte(0));
  }
  this->launch = &launch;
  if (waves.size() < group.waves)
    waves = std::vector<WaveSlot>(waves_per_group(launch));
  for (uint32_t i = 0; i < waves.size(); ++i) {
    WaveSlot &slot = waves[i];
    slot.group = this;
    slot.index = i;
    slot.state = WaveState::ended;
    slot.sleep_length = ~uint64_t(0);
    if (i < group.waves && !(slot.wave && slot.wave->restart(group, i)))
      slot.wave = launch.kernel->make_wave(group, i);
  }
  return true;
}

WaveSite site_of(const WaveSlot &slot) {
  const ResidentGroup &resident = *slot.group;
  const Launch &launch = *resident.launch;
  WaveSite site;
  site.kernel = launch.kernel->name();
  std::copy_n(resident.group.id, 3, site.block);
  std::copy_n(resident.group.size, 3, site.group_size);
  site.wave = slot.index;
  site.wave_size = launch.kernel->sizes().wave_size;
  site.lanes = slot.wave->active_lanes();
  site.pc = slot.wave->pc();
  site.instruction = slot.wave->instruction();
  site.callers = slot.wave->callers();
  site.symbols = launch.symbols;
  switch (slot.state) {
  case WaveState::ready:
  case WaveState::running:
    site.state = "running";
    break;
  case WaveState::sleeping:
    site.state = "sleeping";
    break;
  case WaveState::barrier:
    site.state = "waiting at a barrier";
    break;
  case WaveState::ended:
    site.state = "ended";
    break;
  }
  return site;
}

} // namespace gpuexec::emulator
