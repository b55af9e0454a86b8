//===-- emulator/machine/resident_block.cpp - A block that runs -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/resident_block.h"

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

uint32_t waves_per_block(const Launch &launch) {
  const Dispatch &dispatch = launch.dispatch;
  uint32_t threads =
      uint32_t(dispatch.block[0]) * dispatch.block[1] * dispatch.block[2];
  uint32_t wave_size = launch.kernel->sizes().wave_size;
  return (threads + wave_size - 1) / wave_size;
}

static size_t padded_shared_size(const Dispatch &dispatch) {
  return (size_t(dispatch.shared_size) + 64 + 63) & ~size_t(63);
}

static size_t stack_bytes(const Launch &launch) {
  size_t per_wave =
      size_t(launch.kernel->sizes().stack_lanes) * launch.dispatch.stack_size;
  return per_wave * waves_per_block(launch) + 64;
}

uint64_t block_bytes(const Launch &launch) {
  return padded_shared_size(launch.dispatch) + stack_bytes(launch) +
         uint64_t(waves_per_block(launch)) * launch.kernel->sizes().wave_bytes;
}

bool ResidentBlock::build(Launch &of, uint64_t index) {
  launch = &of;
  dispatch = &of.dispatch;
  id[0] = uint32_t(index % dispatch->blocks[0]);
  id[1] = uint32_t(index / dispatch->blocks[0] % dispatch->blocks[1]);
  id[2] = uint32_t(index / dispatch->blocks[0] / dispatch->blocks[1]);
  for (int i = 0; i < 3; ++i)
    size[i] = std::min<uint32_t>(
        dispatch->block[i], dispatch->grid[i] - id[i] * dispatch->block[i]);
  uint32_t wave_size = of.kernel->sizes().wave_size;
  waves = (threads() + wave_size - 1) / wave_size;
  size_t shared_bytes = padded_shared_size(*dispatch),
         needed = shared_bytes + stack_bytes(of);
  if (dispatch->check_uninitialized)
    needed += shared_bytes;
  if (pages.size() != needed && !pages.reset(needed))
    return false;
  shared = pages.data();
  shared_size = dispatch->shared_size;
  stacks = pages.data() + shared_bytes;
  if (dispatch->check_uninitialized) {
    shared_shadow = pages.data() + needed - shared_bytes;
    std::fill_n(shared_shadow, shared_bytes, std::byte(0));
  }
  if (slots.size() < waves)
    slots = std::vector<WaveSlot>(waves_per_block(of));
  for (uint32_t i = 0; i < slots.size(); ++i) {
    WaveSlot &slot = slots[i];
    slot.block = this;
    slot.index = i;
    slot.state = WaveState::ended;
    slot.sleep_length = ~uint64_t(0);
    slot.since_sleep = 0;
    slot.same_sleeps = 0;
    if (i < waves && !(slot.wave && slot.wave->restart(*this, i)))
      slot.wave = of.kernel->make_wave(*this, i);
  }
  return true;
}

WaveSite site_of(const WaveSlot &slot) {
  const ResidentBlock &block = *slot.block;
  const Launch &launch = *block.launch;
  WaveSite site;
  site.kernel = launch.kernel->name();
  std::copy_n(block.id, 3, site.block);
  std::copy_n(block.size, 3, site.block_size);
  site.wave = slot.index;
  site.wave_size = launch.kernel->sizes().wave_size;
  site.words = &launch.kernel->words();
  site.stack_size = launch.dispatch.stack_size;
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
